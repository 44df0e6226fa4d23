import EventLog
import Events
import Foundation
import HTTPClient
import ServiceRuntime
import Testing
import Wire

@testable import Commands
@testable import ServiceHost

@Suite("Findings of the doctor") struct DoctorFindingTests {
    private func rule(_ name: String) throws -> AlarmRule {
        try #require(AlarmRule.all.first { $0.name == name })
    }

    @Test("A finding is one line that begins with its result and ends with the advice")
    func line() {
        let finding = Finding("disk", .warning, "/ is\nfull", advice: "Make room")
        #expect(finding.line == "warning     disk                   / is full. Make room")
        #expect(Finding("log", .unknown, "x").line.hasPrefix("can't tell  log "))
    }

    @Test("A public address without HTTPS is a warning")
    func https() {
        #expect(Doctor.plain("https://map.example") == nil && Doctor.plain("HTTPS://a.b") == nil)
        let finding = Doctor.plain("http://map.example")
        #expect(finding?.check == "https" && finding?.result == .warning)
    }

    @Test("A fault that two parts of the program find is one line")
    func once() {
        let missing = ConfigurationFault(name: "DATABASE_URL", problem: "is missing")
        let other = ConfigurationFault(name: "WHEREABOUTS_LOG", problem: "is wrong")
        let findings = Command.wrong([missing, other, missing])
        #expect(findings.map(\.line) == Command.wrong([missing, other]).map(\.line))
        #expect(findings.count == 2)
    }

    @Test("All findings are one JSON object with their counts")
    func json() throws {
        let findings = [
            Finding("a", .ok, "x"), Finding("b", .wrong, "\"y\"", advice: "Do"),
            Finding("c", .unknown, "z"),
        ]
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(Finding.json(findings).utf8))
                as? [String: Any])
        #expect(object["wrong"] as? Int == 1)
        #expect(object["warnings"] as? Int == 0)
        let checks = try #require(object["checks"] as? [[String: Any]])
        #expect(checks.map { $0["result"] as? String } == ["ok", "wrong", "can't tell"])
        #expect(checks[1]["advice"] as? String == "Do")
    }

    @Test("A rule is wrong at one service although another one is well, and unknown without any")
    func rules() throws {
        let rule = try rule("disk-full")
        func sample(_ service: String, _ value: Double) -> MetricSample {
            MetricSample(rule.metric, ["service": service, "machine": service, "path": "/"], value)
        }
        let found = Doctor.finding(rule, [sample("a", 0.5), sample("b", 0.01)])
        #expect(found.result == .wrong)
        #expect(found.text.contains("b /: 1 %") && !found.text.contains("a /"))
        #expect(Doctor.finding(rule, [sample("a", 0.5)]).result == .ok)
        #expect(Doctor.finding(rule, []).result == .unknown)
    }

    @Test("What a counter has counted in former days breaks no rule, and what it counts now does")
    func growth() throws {
        let rule = try rule("quota")
        func samples(_ value: Double) -> [MetricSample] {
            [MetricSample(rule.metric, ["service": "a"], value)]
        }
        let old = Doctor.finding(rule, samples(5_000), before: samples(5_000))
        #expect(old.result == .ok && old.text == "a: 0 new in 10 s")
        #expect(Doctor.finding(rule, samples(5_000), before: samples(4_990)).result == .warning)
        #expect(Doctor.finding(rule, samples(5_000)).result == .ok)
    }

    @Test("A number has three digits after its point at most")
    func digits() throws {
        let rule = try rule("feed-stale")
        let sample = MetricSample(rule.metric, ["service": "a"], 0.41524318111111114)
        let text = Doctor.finding(rule, [sample]).text
        #expect(text.hasSuffix(": 0.415"), "\(text)")
    }

    @Test("Processes of one machine show its disk once")
    func machine() throws {
        let rule = try rule("disk-low")
        let samples = ["a", "b"].map {
            MetricSample(rule.metric, ["service": $0, "machine": "m", "path": "/"], 0.5)
        }
        #expect(Doctor.finding(rule, samples).text == "m /: 50 %")
    }

    @Test("A rule about sites names those that break it, and is well where no site has any")
    func sites() throws {
        let rule = try rule("beacon-batteries")
        let samples = [("campus", 3.0), ("museum", 0)].map { site, low in
            MetricSample(rule.metric, ["service": "locator", "site": site], low)
        }
        let found = Doctor.finding(rule, samples)
        #expect(found.result == .warning && found.text.hasSuffix("(locator campus: 3)"), "\(found)")
        #expect(Doctor.finding(rule, []).result == .ok)
    }

    @Test("A service that has no time for the question is not called another program")
    func busy() {
        let problem = ["content-type": "application/problem+json"]
        for status in [429, 503] {
            let answer = HTTPClientResponse(status: status, headers: problem, body: [])
            #expect(Doctor.busy("a", answer)?.result == .warning)
        }
        let readiness = ["content-type": "application/json"]
        #expect(
            Doctor.busy("a", HTTPClientResponse(status: 503, headers: readiness, body: [])) == nil)
    }

    @Test("A view that needs deleted records is wrong, and one that is far behind is a warning")
    func lag() {
        func stand(_ committed: Int64?, _ start: Int64, _ end: Int64) -> [GroupStand] {
            [
                GroupStand(
                    partition: TopicPartition("t", 0), committed: committed,
                    bounds: PartitionBounds(start: start, end: end))
            ]
        }
        #expect(Doctor.lag("x", stand(5, 0, 9), remedy: "").result == .ok)
        #expect(Doctor.lag("x", stand(nil, 0, 20_000), remedy: "").result == .warning)
        let lost = Doctor.lag("x", stand(5, 8, 9), remedy: "`mend`")
        #expect(lost.result == .wrong && lost.text.contains("needs 3 records"))
        #expect(lost.advice?.contains("`mend`") == true)
        #expect(Doctor.lag("x", stand(12, 0, 9), remedy: "").text.contains("ahead of the log"))
    }

    @Test("Backups are wrong when the night failed, one is damaged, or the last is 26 hours old")
    func backup() {
        let now = Timestamp(microseconds: 1_795_489_851_000_000)
        func results(hours: Int64, isGood: Bool, damage: String? = nil) -> [Finding.Result] {
            let at = now.advanced(byMicroseconds: -hours * 3_600_000_000)
            var report = LastBackup(finishedAt: at, isOK: isGood, name: "n", goodAt: at)
            report.damage = damage
            return Doctor.backups(report, isUnderWay: false, at: now).map(\.result)
        }
        #expect(results(hours: 25, isGood: true) == [.ok])
        #expect(results(hours: 27, isGood: true) == [.wrong])
        #expect(results(hours: 1, isGood: false) == [.wrong])
        #expect(results(hours: 1, isGood: true, damage: "x was changed") == [.wrong])
        #expect(results(hours: 27, isGood: false, damage: "x") == [.wrong, .wrong, .wrong])
        #expect(results(hours: -8_760, isGood: true) == [.wrong], "a clock was ahead")
    }

    @Test("A night that was interrupted is wrong with that reason, and one that goes on is not")
    func night() {
        let now = Timestamp(microseconds: 1_795_489_851_000_000)
        let begun = now.advanced(byMicroseconds: -60_000_000)
        func found(
            _ isUnderWay: Bool?, isFirst: Bool = false
        ) -> (results: [Finding.Result], text: String) {
            var report = LastBackup(
                finishedAt: begun, isOK: !isFirst, name: nil, goodAt: isFirst ? nil : begun)
            (report.begunAt, report.isUnfinished) = (begun, true)
            let findings = Doctor.backups(report, isUnderWay: isUnderWay, at: now)
            return (findings.map(\.result), findings.first?.text ?? "")
        }
        for isFirst in [false, true] {
            let interrupted = found(false, isFirst: isFirst)
            #expect(interrupted.results == [.wrong])
            #expect(interrupted.text == "the last night began 60 s ago and was interrupted")
            #expect(found(nil, isFirst: isFirst).results == [.unknown])
        }
        #expect(found(true).results == [.ok])
        #expect(found(true, isFirst: true).results == [.warning])
        let unsaid = LastBackup(finishedAt: begun, isOK: false, name: nil)
        let text = Doctor.backups(unsaid, isUnderWay: false, at: now).first?.text
        #expect(text?.hasSuffix(": nobody noted why") == true)
    }

    @Test("An old transaction warns, and sessions that can't be seen make the check uncertain")
    func transactions() {
        func result(_ seconds: Double, hidden: Int) -> Finding.Result {
            Doctor.transactions(
                DatabaseFigures(
                    oldestTransactionSeconds: seconds, hiddenSessions: hidden, bytes: 0,
                    clockSkewSeconds: 0, preparedTransactions: 0)
            ).result
        }
        #expect(result(10, hidden: 0) == .ok)
        #expect(result(10, hidden: 2) == .unknown)
        #expect(result(4_000, hidden: 2) == .warning)
    }

    @Test("A log whose newest time lies ahead warns, and says by how much")
    func logAhead() throws {
        func finding(_ seconds: Double) -> Finding? {
            Doctor.logAhead(
                DatabaseFigures(
                    oldestTransactionSeconds: 0, hiddenSessions: 0, bytes: 0, clockSkewSeconds: 0,
                    preparedTransactions: 0, logAheadSeconds: seconds))
        }
        #expect(finding(0) == nil && finding(60) == nil)
        let ahead = try #require(finding(10 * 86_400))
        #expect(ahead.result == .warning && ahead.text.contains("10 days ahead"), "\(ahead)")
    }

    @Test("A certificate warns ten days before its end, and is wrong afterwards")
    func certificate() {
        let results = [40, 9, 0.5, -1].map { Doctor.certificate("a:443", days: $0).result }
        #expect(results == [.ok, .warning, .warning, .wrong])
    }

    @Test("The dates of servers and certificates are read in UTC, and another text is none")
    func date() {
        #expect(secondsSince1970("Tue, 24 Nov 2026 02:30:51 GMT") == 1_795_487_451)
        #expect(secondsSince1970("Nov 24 02:30:51 2026 GMT") == 1_795_487_451)
        #expect(secondsSince1970("yesterday") == nil)
    }
}
