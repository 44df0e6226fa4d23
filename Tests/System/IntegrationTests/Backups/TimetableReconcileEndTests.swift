import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Bookings after PostgreSQL alone was put back to a former state, while the log went on.
    @Suite("Timetables when PostgreSQL alone was restored", .timeLimit(.minutes(10)))
    struct TimetableReconcileEndTests {
        @Test("On PostgreSQL's log") func postgres() async throws { try await putBack(nil) }

        @Test("On Kafka", .enabled(if: RealKafka.isInstalled))
        func kafka() async throws {
            let kafka = try #require(RealKafka.start())
            defer { kafka.stop() }
            try await putBack(kafka)
        }

        private func putBack(_ kafka: RealKafka?) async throws {
            let site = try await FeedSite(kafka)
            let campus = site.small.campus
            let monday = FeedSite.comingMonday
            let week = FeedSite.week(of: monday)
            try await site.serve(
                "a.ics",
                FeedSite.feed([
                    ("stays", monday, 8, "Logic", "a"), ("moves", monday, 9, "Sets", "a"),
                    ("goes", monday, 10, "Graphs", "a"),
                ]))
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            var report = try await site.report("rooms", after: [:])
            try await Self.untilSent(site)
            let dump = try await Dump(campus)
            // What the log learns afterwards, and the older tables do not know.
            try await site.serve(
                "a.ics",
                FeedSite.feed([
                    ("stays", monday, 8, "Logic", "a"), ("moves", monday, 14, "Sets", "a"),
                    ("comes", monday, 15, "Trees", "b"),
                ]))
            try await site.fetch("rooms")
            report = try await site.report("rooms", after: report)
            try await site.serve("b.ics", FeedSite.feed([("other", monday, 9, "Proofs", "b")]))
            try await site.put("later", Self.calendar(site.url("b.ics")))
            _ = try await site.report("later", after: [:])
            try await Self.untilSent(site)
            _ = campus.stop()
            try await dump.putBack()
            try await campus.restart("whereabouts")
            try await eventually("it is told", seconds: 30) {
                try await campus.ask("whereabouts", "/metrics").text
                    .contains("whereabouts_not_reconciled{outbox=\"timetables\"} 1")
            }
            let refused = try await campus.send(
                "PUT", "/v1/sites/\(SmallSite.name)/feeds/rooms",
                token: site.small.administrator, body: jsonText(Self.calendar(site.url("a.ics"))))
            #expect(refused.status == 503 && refused.code == "not-reconciled", "\(refused.text)")
            // Reading goes on, with the older rows. An answer may be some seconds old.
            try await eventually("the older rows are there") {
                try await site.titles("a", week) == ["Logic", "Sets", "Graphs"]
            }

            let told = try await campus.whereabouts("reconcile", "--check")
            #expect(told.errors.contains("the feed later of small has to be set up again"))
            #expect(try await site.titles("a", week) == ["Logic", "Sets", "Graphs"])
            let mended = try await campus.whereabouts("reconcile")
            // One has moved, one is cancelled and one is new.
            #expect(mended.summary["bookings"] as? Int == 3, "\(mended.summary)")
            try await eventually("the rows are as the log") {
                let titles = [try await site.titles("a", week), try await site.titles("b", week)]
                return titles == [["Logic", "Sets"], ["Trees"]]
            }
            try await eventually("feeds are fetched again: \(campus.messages)", seconds: 60) {
                try await site.report("rooms")["outcome"] as? String == "read"
            }
            try await site.serve("a.ics", FeedSite.feed([("stays", monday, 8, "Logic", "a")]))
            try await site.fetch("rooms")
            try await eventually("changes are taken: \(campus.messages)") {
                let titles = [try await site.titles("a", week), try await site.titles("b", week)]
                return titles == [["Logic"], []]
            }
            let again = try await campus.whereabouts("reconcile").summary
            #expect(again["reconciled"] as? Bool == false, "\(again)")
            // The log is as the tables: the last record of each key.
            try await Self.untilSent(site)
            let records = try await campus.values(of: "whereabouts.timetables")
            // The lost feed's booking has a tombstone, which PostgreSQL's log follows at once.
            #expect(records.filter { $0.contains("Proofs") }.count == (kafka == nil ? 0 : 1))
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private static func calendar(_ address: String) -> [String: Any] {
            ["kind": "icalendar", "address": address]
        }

        private static func untilSent(_ site: FeedSite) async throws {
            try await eventually("the outbox is empty") {
                try await site.small.campus.psql("SELECT count(*) FROM timetables.outbox") == ["0"]
            }
        }
    }
}
