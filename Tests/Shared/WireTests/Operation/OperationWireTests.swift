import Events
import Foundation
import Testing
import Wire

@Suite("What operators' programs read and write") struct OperationWireTests {
    @Test("The answer of /readyz gives the parts that are not ready")
    func readiness() throws {
        let body = """
            {"ready":false,"checks":[{"name":"log","state":"ready"},{"name":"sites",\
            "state":"starting"},{"name":"database","state":"failing","reason":"away"}]}
            """
        let answer = try #require(ReadinessAnswer(json: Array(body.utf8)))
        #expect(!answer.isReady)
        #expect(answer.unready.map(\.name) == ["sites", "database"])
        #expect(answer.unready.map(\.reason) == [nil, "away"])
        for other in ["", "{}", "[]", "<html>", #"{"ready":1,"checks":[]}"#] {
            #expect(ReadinessAnswer(json: Array(other.utf8)) == nil)
        }
    }

    @Test("A backup's report is read, and a damaged one is none")
    func backup() throws {
        let body = #"{"finishedAt":"2026-11-24T03:04:05Z","ok":true,"name":"nightly"}"#
        let report = try LastBackup(json: Array(body.utf8))
        #expect(report.isOK && report.name == "nightly")
        #expect(report.finishedAt == Timestamp(text: "2026-11-24T03:04:05Z"))
        for other in [#"{"finishedAt":"yesterday","ok":true}"#, #"{"ok":true}"#, "{", ""] {
            #expect(throws: WireFault.self) { try LastBackup(json: Array(other.utf8)) }
        }
    }

    @Test("A webhook gets each alarm with its state, meaning and labels")
    func notice() throws {
        let entry = AlarmNotice.Entry(
            alarm: "disk-low", hasEnded: true, severity: "warning",
            since: Timestamp(microseconds: 0), meaning: "Low.", advice: "Mend \"it\".",
            labels: ["path": "/", "service": "whereabouts"])
        let notice = AlarmNotice(
            installation: "map.example", at: Timestamp(microseconds: 1_000_000), text: "a\nb",
            entries: [entry])
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(notice.json)) as? [String: Any])
        #expect(json["installation"] as? String == "map.example")
        #expect(json["text"] as? String == "a\nb")
        let alarm = try #require((json["alarms"] as? [[String: Any]])?.first)
        #expect(alarm["alarm"] as? String == "disk-low")
        #expect(alarm["state"] as? String == "ended")
        #expect(alarm["advice"] as? String == "Mend \"it\".")
        #expect(alarm["labels"] as? [String: String] == entry.labels)
    }
}
