import Commands
import Testing

@Suite struct ProgressReporterTests {
    private final class Stage {
        var now = ContinuousClock.now
        var text = ""
    }

    private func reporter(_ stage: Stage, isTerminal: Bool) -> ProgressReporter {
        ProgressReporter(
            "locating", unit: "scans", total: 1_000, isTerminal: isTerminal,
            write: { stage.text += $0 }, now: { stage.now })
    }

    @Test("On a terminal one line is overwritten, with the rate and the time left")
    func terminal() {
        let stage = Stage()
        let progress = reporter(stage, isTerminal: true)
        stage.now += .seconds(2)
        progress.advance(by: 100)
        progress.advance(by: 100)
        #expect(stage.text == "\r\u{1B}[Klocating: 100 of 1000 scans, 50 a second, 0:18 left")
        stage.now += .seconds(2)
        progress.advance(by: 800)
        progress.finish()
        #expect(stage.text.hasSuffix("locating: 1000 of 1000 scans, 250 a second, 0:04 so far\n"))
    }

    @Test("Work between the units is named, and does not count in the rate")
    func held() {
        let stage = Stage()
        let progress = reporter(stage, isTerminal: false)
        progress.hold("preparing auto")
        stage.now += .seconds(70)
        progress.advance()
        progress.hold("preparing auto")
        stage.now += .seconds(500)
        progress.advance()
        stage.now += .seconds(10)
        progress.advance(by: 98)
        let lines = stage.text.split(separator: "\n")
        #expect(lines[0] == "preparing auto")
        #expect(lines.last == "locating: 100 of 1000 scans, 10 a second, 1:30 left")
    }

    @Test("Without a terminal, plain lines come every ten seconds and at the end")
    func plain() {
        let stage = Stage()
        let progress = reporter(stage, isTerminal: false)
        for _ in 0..<4 {
            stage.now += .seconds(6)
            progress.advance(by: 100)
        }
        progress.finish()
        let lines = stage.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "locating: 200 of 1000 scans, 17 a second, 0:48 left")
    }
}
