import EventLog
import Events
import JSON
import ServiceHost
import Synchronization
import Testing

@testable import Commands

@Suite struct DeadLettersCommandTests {
    @Test(
        "Arguments that don't fit together are refused in one line with the reason",
        arguments: [
            ("", "list, show or apply"), ("mend", "not mend"), ("list x/0/1", "list has no ID"),
            ("show", "one ID"), ("show x/0/1 x/0/2", "one ID"), ("show --all", "--all"),
            ("show x/0/1 --all", "--all"), ("show x/0/1 --everything", "--everything"),
            ("list --everything", "--everything"), ("apply", "either"),
            ("apply --everything --all", "--all"), ("apply x/0/1 --everything", "either"),
            ("apply x/0/1 x/0/2", "either"),
            ("apply x/0/1 --topic whereabouts.scans", "leave --topic out"),
            ("list --topic scans", "whereabouts.scans-inbound, "),
        ])
    func refused(_ words: String, _ reason: String) async {
        let table = CommandTable(program: "whereabouts", version: "1", [.deadLetters])
        let notes = Mutex<[String]>([])
        let status = await table.run(
            ["dead-letters"] + words.split(separator: " ").map(String.init), output: { _ in },
            note: { line in notes.withLock { $0.append(line) } })
        #expect(status == 64)
        let note = notes.withLock { $0.joined(separator: "\n") }
        #expect(note.contains(reason) && !note.contains("\n"), "\(note)")
    }

    @Test("Arguments are read as the work that they ask for")
    func read() throws {
        #expect(try DeadLettersRequest(["list"]).work == .list(withPutBack: false))
        #expect(try DeadLettersRequest(["list", "--all"]).work == .list(withPutBack: true))
        #expect(try DeadLettersRequest(["show", "x/0/1"]).work == .show(id: "x/0/1"))
        #expect(try DeadLettersRequest(["apply", "x/0/1"]).work == .apply(id: "x/0/1"))
        let all = try DeadLettersRequest([
            "apply", "--everything", "--topic=whereabouts.positions-beside",
        ])
        #expect(all.work == .applyEverything && all.topic == "whereabouts.positions-beside")
    }

    @Test("The last line counts the outcomes; refused letters and incomplete ones are failures")
    func summary() {
        var summary = DeadLettersSummary(leftAlone: 4)
        #expect(summary.failures == 0)
        summary.count(.putBack)
        summary.count(.notMissing)
        #expect(summary.failures == 0)
        summary.count(.refused(code: "record-gone", detail: ""))
        summary.count(.notWhole)
        #expect(summary.failures == 2)
        #expect(
            summary.line
                == #"{"putBack":1,"notMissing":1,"refused":1,"notWhole":1,"leftAlone":4}"#)
    }

    @Test("A letter is shown with its headers and its record's time, but without a token")
    func show() {
        var headers = LogHeaders()
        headers.append("signed-by", "token-1")
        headers.append("authorization", "Bearer secret")
        headers.append(name: "odd".utf8, value: [0xff])
        headers.append("signed-by", "token-2")
        let letter = DeadLettered(
            topic: "whereabouts.scans-inbound", partition: 0, offset: 7, code: "not-json",
            detail: "", key: Array("pi".utf8), value: Array("{".utf8),
            at: Timestamp(microseconds: 2_000_000), headers: headers.encoded,
            consumer: "scan-ingest", appendedAt: Timestamp(microseconds: 1_000_000))
        let line = DeadLettersLines.letter(letter, putBackAt: nil, isWhole: true)
        let tail =
            #""appendedAt":"1970-01-01T00:00:01.000Z","headers":{"signed-by":"token-1","#
            + #""authorization":"not shown","oddBase64":"/w=="},"key":"pi","value":"{"}"#
        #expect(line.hasSuffix(tail), "\(line)")
        let short = DeadLettersLines.letter(letter, putBackAt: nil, isWhole: false)
        #expect(!short.contains("headers") && !short.contains("appendedAt"))
    }
}
