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

    @Test("A backup's report is read as it was written, with the beginning of a long reason")
    func longReport() throws {
        let at = Timestamp(milliseconds: 1_795_305_600_000)
        var report = LastBackup(finishedAt: at, isOK: true, name: "nightly")
        (report.begunAt, report.isUnfinished) = (at, true)
        report.erasures = 7
        #expect(try LastBackup(json: report.json) == report)
        report.reason = "no\u{0} room: " + String(repeating: "ö", count: 100_000)
        report.damage = report.reason
        let read = try LastBackup(json: report.json)
        #expect(read.reason?.hasPrefix("no room: ö") == true && read.damage == read.reason)
        #expect(try LastBackup(json: read.json).isUnfinished)
    }

    @Test("A good backup from the future is none: a clock was ahead")
    func ahead() {
        let at = Timestamp(milliseconds: 1_795_305_600_000)
        let report = LastBackup(finishedAt: at, isOK: true, name: "nightly")
        func good(minutes: Int64) -> Timestamp? {
            report.lastGood(at: at.advanced(byMicroseconds: minutes * 60_000_000))
        }
        #expect(good(minutes: 600) == at && good(minutes: -59) == at && good(minutes: -61) == nil)
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
