import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    /// The service's rows against what icalendar and recurring-ical-events expand from the same
    /// feeds. `WHEREABOUTS_ICALENDAR` names a Python that has both.
    @Suite("Rows and recurring-ical-events", .serialized, .timeLimit(.minutes(15)))
    struct CalendarRowsEndTests {
        private static let python = ProcessInfo.processInfo.environment["WHEREABOUTS_ICALENDAR"]
        private static let isMissing: Comment =
            "skipped: WHEREABOUTS_ICALENDAR names no Python with recurring-ical-events"
        private static let day: Int64 = 86_400

        @Test(
            "200 feeds with all features mixed have the same instances, and no event twice",
            .enabled(if: python != nil, isMissing))
        func mixed() async throws {
            let site = try await FeedSite()
            let folder = try await Self.feeds(["0", "200"], for: site)
            var known: [String: [String]] = [:]
            for number in 0..<200 {
                let name = "feed-\(number)"
                try await site.serve(
                    name, [UInt8](Data(contentsOf: folder.appending(path: "\(name).ics"))))
                try await site.put(
                    name, ["kind": "icalendar", "address": site.url(name), "room": "a"])
            }
            try await Self.untilRead(site, 200)
            for number in 0..<200 {
                let name = "feed-\(number)"
                known[name] = try Self.expected(folder, name) { _, starts, ends, isAllDay in
                    "\(starts)\t\(ends)\t\(isAllDay)"
                }
            }
            let rows = try await Self.rows(site, "feed")
            var instances = 0
            for (name, expected) in known {
                let found = (rows[name] ?? []).sorted()
                #expect(found == expected.sorted(), "\(name)")
                instances += expected.count
            }
            #expect(instances > 10_000)
            try await Self.expectEvents(site)
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test(
            "A campus of 100 rooms and 50,000 events has the same instances in each room",
            .enabled(if: python != nil, isMissing))
        func campus() async throws {
            let site = try await FeedSite()
            try await Self.publishRooms(site)
            let folder = try await Self.feeds(["campus", "50000", "100"], for: site)
            try await site.serve(
                "campus.ics", [UInt8](Data(contentsOf: folder.appending(path: "campus.ics"))))
            try await site.put(
                "campus", ["kind": "icalendar", "address": site.url("campus.ics")])
            try await Self.untilRead(site, 1)
            let report = try await site.report("campus")
            #expect((report["leftOut"] as? [Any])?.isEmpty == true, "\(report)")
            #expect((report["unmatched"] as? [Any])?.isEmpty == true, "\(report)")
            var expected: [String: [String]] = [:]
            for line in try Self.expected(
                folder, "campus", { "\($0)\t\($1)\t\($2)\t\($3)" })
            {
                let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                let number = Int(parts[0].dropFirst("campus-".count)) ?? -1
                expected["r\(number % 100)", default: []].append(parts[1])
            }
            let rows = try await Self.rows(site, "room")
            #expect(rows.count == 100)
            for (room, instances) in expected {
                #expect(rows[room]?.sorted() == instances.sorted(), "\(room)")
            }
            #expect(expected.values.map(\.count).reduce(0, +) > 90_000)
            try await Self.expectEvents(site)
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        // MARK: Feeds

        private static func feeds(_ arguments: [String], for site: FeedSite) async throws -> URL {
            let folder = site.small.campus.folder.appending(path: "feeds")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let script = repository.appending(path: "Tests/Support/calendar-peer/calendar_peer.py")
            let today = Date().formatted(.iso8601.year().month().day())
            _ = try await ProgramRun.of(
                [python ?? "", "-W", "ignore", script.path, folder.path] + arguments + [today]
            ).successful()
            return folder
        }

        /// The lines of the other library, each as the test writes it. Instances without length take
        /// no room.
        private static func expected(
            _ folder: URL, _ name: String,
            _ line: (_ uid: Substring, _ starts: Int64, _ ends: Int64, _ isAllDay: Bool) -> String
        ) throws -> [String] {
            let text = try String(
                contentsOf: folder.appending(path: "\(name).tsv"), encoding: .utf8)
            return text.split(separator: "\n").dropFirst().compactMap { row in
                let parts = row.split(separator: "\t")
                let (starts, ends) = (Int64(parts[1]) ?? 0, Int64(parts[2]) ?? 0)
                guard ends > starts, isInside(starts, ends) else { return nil }
                return line(parts[0], starts, ends, parts[3] == "1")
            }
        }

        /// The same in all comparisons: otherwise an instance may lie inside in one of them alone.
        private static let now = Int64(Date().timeIntervalSince1970)

        /// Whether the service must have it. Its window moves on while the test runs, so a day at
        /// both ends does not count.
        private static func isInside(_ starts: Int64, _ ends: Int64) -> Bool {
            ends > now - 6 * day && starts < now + 399 * day
        }

        /// Starts, ends and whether it is all day, by feed or by room.
        private static func rows(
            _ site: FeedSite, _ column: String
        ) async throws -> [String: [String]] {
            var rows: [String: [String]] = [:]
            for line in try await site.small.campus.psql(
                """
                SELECT \(column), extract(epoch FROM booking.starts_at)::bigint,
                    extract(epoch FROM booking.ends_at)::bigint,
                    convert_from(event, 'UTF8')::jsonb->>'allDay'
                FROM timetables.bookings AS booking
                JOIN timetables.booking_rooms USING (site, id) WHERE NOT is_cancelled
                """)
            {
                let parts = line.split(separator: "\t").map(String.init)
                guard isInside(Int64(parts[1]) ?? 0, Int64(parts[2]) ?? 0) else { continue }
                rows[parts[0], default: []].append(parts[1...].joined(separator: "\t"))
            }
            return rows
        }

        private static func untilRead(_ site: FeedSite, _ count: Int) async throws {
            try await eventually("all are read: \(site.small.campus.messages)", seconds: 600) {
                try await site.small.campus.psql(
                    """
                    SELECT count(*) FROM timetables.feeds
                    WHERE convert_from(report, 'UTF8')::jsonb->>'outcome' = 'read'
                    """) == ["\(count)"]
            }
        }

        /// Each row has one event, and reading all feeds again gives none.
        private static func expectEvents(_ site: FeedSite) async throws {
            let campus = site.small.campus
            func events() async throws -> String {
                try await eventually("the outbox is empty", seconds: 300) {
                    try await campus.psql("SELECT count(*) FROM timetables.outbox") == ["0"]
                }
                // The topic is compacted, so its rows would not tell an event that came twice.
                return try await campus.psql(
                    """
                    SELECT sum(next_offset) FROM log.partitions
                    JOIN log.topics ON log.topics.id = log.partitions.topic
                    WHERE log.topics.name = 'whereabouts.timetables'
                    """
                ).first ?? ""
            }
            let first = try await events()
            #expect(try await campus.psql("SELECT count(*) FROM timetables.bookings") == [first])
            let before = Date().formatted(.iso8601)
            try await campus.psql(
                """
                UPDATE timetables.feeds SET next_at = now(), hash = NULL, etag = NULL,
                    modified = NULL
                """)
            try await eventually("all are read again", seconds: 600) {
                try await campus.psql(
                    """
                    SELECT count(*) FROM timetables.feeds
                    WHERE parsed_at < '\(before)' OR hash IS NULL
                    """) == ["0"]
            }
            #expect(try await events() == first)
        }

        private static func publishRooms(_ site: FeedSite) async throws {
            var document = SmallSite.document
            document["rooms"] = (0..<100).map { number in
                [
                    "id": "r\(number)", "floor": "ground", "name": "Room \(number)",
                    "kind": "lab", "outline": [[Double]](),
                ] as [String: Any]
            }
            document["locations"] = [[String: Any]]()
            document["connections"] = [[String: Any]]()
            let answer = try await site.small.campus.send(
                "PUT", "/v1/sites/\(SmallSite.name)", token: site.small.administrator,
                body: jsonText(document))
            try #require(answer.status < 300, "\(answer.text)")
        }
    }
}
