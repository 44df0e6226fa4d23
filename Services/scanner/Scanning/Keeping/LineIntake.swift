internal import Events
import Glibc
internal import ServiceRuntime
internal import Threads
internal import Wire

/// Reads scans as JSON lines from any program. A line that is no scan is counted and told by its
/// number.
struct LineIntake: Sendable {
    /// A longer line is no scan.
    static let mostBytes = 1 << 20

    let keeper: ScanKeeper
    let enrolment: ScannerEnrolment
    let time: any TimeSource

    /// Reads standard input to its end.
    func read() async {
        let (lines, sink) = AsyncStream<[UInt8]?>.makeStream()
        startThread(named: "lines") {
            var splitter = LineSplitter()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for line in splitter.feed(buffer[..<count]) { sink.yield(line) }
            }
            if let line = splitter.end() { sink.yield(line) }
            sink.finish()
        }
        var number = 0
        for await line in lines {
            number += 1
            await keep(line, number)
        }
    }

    /// - Parameter line: nil for one that was too long.
    func keep(_ line: [UInt8]?, _ number: Int) async {
        guard let line else {
            return await keeper.refuse(line: number, because: "it is too long")
        }
        guard line.contains(where: { $0 > 0x20 }) else { return }
        do throws(WireFault) {
            await keeper.keep(try scan(line))
        } catch {
            await keeper.refuse(line: number, because: error.description)
        }
    }

    /// The scan of a line, with an id and this scanner where it names none.
    private func scan(_ line: [UInt8]) throws(WireFault) -> ScanSubmission {
        let now = Timestamp(microseconds: time.nowMicroseconds)
        var scan = try SubmissionDecoder(.file).decodeOne(line, receivedAt: now)
        guard !scan.content.saysNothing else {
            throw WireFault(.nothingHeard, "it has no readings")
        }
        scan.id = scan.id ?? EventID(at: now)
        scan.site = scan.site ?? enrolment.site
        scan.scanner = scan.scanner ?? enrolment.scanner
        scan.device = scan.device ?? DeviceID(enrolment.scanner.text)
        scan.truth = nil
        return scan
    }
}

/// Splits bytes that come in pieces into lines.
struct LineSplitter {
    private var line: [UInt8] = []
    private var isTooLong = false

    /// The lines that these bytes complete; nil for each that was too long.
    mutating func feed(_ bytes: some Sequence<UInt8>) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(isTooLong ? nil : line)
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            } else if line.count < LineIntake.mostBytes {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
        return lines
    }

    /// A last line without its end.
    mutating func end() -> [UInt8]?? {
        guard !line.isEmpty || isTooLong else { return nil }
        defer { line = [] }
        return .some(isTooLong ? nil : line)
    }
}
