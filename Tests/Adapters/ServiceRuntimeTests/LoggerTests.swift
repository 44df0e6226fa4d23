import ServiceRuntime
import Synchronization
import Testing

@Suite("Logger") struct LoggerTests {
    final class Lines: Sendable {
        private let stored = Mutex<[String]>([])
        func append(_ line: String) { stored.withLock { $0.append(line) } }
        var all: [String] { stored.withLock { $0 } }
    }

    let lines = Lines()
    let time = ManualTimeSource(microseconds: 1_795_248_000_123_456)

    func logger(_ format: Logger.Format = .json, level: LogLevel = .info) -> Logger {
        Logger(service: "locator", level: level, format: format, time: time) { [lines] in
            lines.append($0)
        }
    }

    @Test("A line is one JSON object with time, level, service, message and fields")
    func json() {
        logger().warning("late", ["topic": "scans", "lag": 12, "share": 0.5, "known": true])
        #expect(
            lines.all == [
                #"{"time":"2026-11-21T08:00:00.123Z","level":"warning","service":"locator","#
                    + #""message":"late","fields":{"known":true,"lag":12,"share":0.5,"#
                    + #""topic":"scans"}}"# + "\n"
            ])
    }

    @Test("Lines below the logger's level are not written")
    func levels() {
        let logger = logger(level: .warning)
        logger.debug("a")
        logger.info("b")
        logger.error("c")
        #expect(lines.all.count == 1)
    }

    @Test(
        "Text from outside can't forge a second line or control a terminal",
        arguments: [Logger.Format.json, .human])
    func injection(format: Logger.Format) {
        let evil = "x\"}\n{\"level\":\"error\"\u{1B}[2J\u{2028}\u{202E}\r\u{9B}31m\u{0}"
        logger(format).with([evil: .text(evil)]).info(evil)
        #expect(lines.all.count == 1)
        let unsafe = lines.all[0].dropLast().unicodeScalars.filter {
            $0.value < 32 || (127...159).contains($0.value) || $0.value == 0x2028
                || $0.value == 0x202E
        }
        #expect(unsafe.isEmpty)
        #expect(lines.all[0].last == "\n")
    }

    @Test(
        "A message is written ten times a minute; the next minute counts those left out"
    )
    func rateLimit() {
        let logger = logger(.human)
        for _ in 0..<25 { logger.error("broker away") }
        logger.error("something else")
        #expect(lines.all.count == 11)
        time.advance(by: .seconds(60))
        logger.error("broker away")
        #expect(lines.all.count == 12)
        #expect(lines.all[11].hasSuffix("broker away  leftOut=15\n"))
    }

    @Test("Numbers without a JSON form are written as null")
    func infinities() {
        logger().info("a", ["b": .number(.infinity), "c": .number(.nan)])
        #expect(lines.all[0].hasSuffix(#""fields":{"b":null,"c":null}}"# + "\n"))
    }
}
