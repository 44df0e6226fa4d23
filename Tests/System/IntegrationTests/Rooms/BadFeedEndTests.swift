import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Servers of feeds that answer as none should, over real sockets.
    @Suite("Feeds that can't be read", .timeLimit(.minutes(10))) struct BadFeedEndTests {
        private struct Case {
            let address: String
            let outcome: String
            /// The beginning of the report's words.
            let fault: String
        }

        /// Addresses of this machine and of private networks, behind redirects and names.
        private static func refused(_ site: FeedSite) -> [String] {
            [
                site.url("a.ics", at: "127.0.0.1"), site.url("a.ics", at: "localhost"),
                site.url("a.ics", at: "0x7f000001"), site.url("a.ics", at: "2130706433"),
                site.url("a.ics", at: "[::ffff:127.0.0.1]"), "http://169.254.169.254/latest",
                "http://10.1.2.3/", "http://[::1]/", "http://[fd00::1]/", "http://0.0.0.0/",
            ]
        }

        private static func cases(_ site: FeedSite) -> [Case] {
            func failed(_ address: String, _ fault: String) -> Case {
                Case(address: address, outcome: "failed", fault: fault)
            }
            func unreadable(_ address: String, _ fault: String) -> Case {
                Case(address: address, outcome: "unreadable", fault: fault)
            }
            return [
                unreadable(site.url("bad/empty"), "the answer is empty"),
                unreadable(site.url("cut.ics"), "the calendar ends too early"),
                unreadable(site.url("page.html"), "the answer is no calendar"),
                unreadable(site.url("many.ics"), "the calendar has more than 200000 components"),
                failed(site.url("bad/half"), "connection-lost: "),
                failed(site.url("bad/huge"), "response-too-large: "),
                failed(site.url("bad/million"), "response-too-large: "),
                failed(site.url("bad/bomb"), "response-too-large: "),
                failed(site.url("bad/loop"), "too-many-redirects: "),
                failed(site.url("nothing"), "the server answers 404"),
                failed(site.secureURL("a.ics"), "certificate-not-trusted: "),
                failed(site.redirect(to: "file:///etc/passwd"), "url-malformed: "),
            ]
                + refused(site).flatMap {
                    [
                        failed($0, "address-refused: "),
                        failed(site.redirect(to: $0), "address-refused: "),
                    ]
                }
        }

        @Test("Each has a clear report, and the last good rows stay with their age")
        func all() async throws {
            let site = try await FeedSite()
            let monday = FeedSite.comingMonday
            let week = FeedSite.week(of: monday)
            let good = FeedSite.feed([("one", monday, 9, "Big Data", "a")])
            try await site.serve("a.ics", good)
            try await site.serve("cut.ics", String(good.dropLast(20)))
            try await site.serve("page.html", "<html><p>We have moved</p></html>")
            try await site.serve("many.ics", Self.many(250_000))
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            var last = try await site.report("rooms", after: [:])
            let goodAt = try #require(last["goodAt"] as? String)
            let said = site.small.campus.messages.count
            for bad in Self.cases(site) {
                try await site.put("rooms", Self.calendar(bad.address))
                last = try await site.report("rooms", after: last)
                #expect(last["outcome"] as? String == bad.outcome, "\(bad.address): \(last)")
                let fault = last["fault"] as? String ?? ""
                #expect(fault.hasPrefix(bad.fault), "\(bad.address): \(fault)")
                #expect(last["goodAt"] as? String == goodAt && last["ageSeconds"] != nil)
                #expect(try await site.titles("a", week) == ["Big Data"], "\(bad.address)")
            }
            // Nobody asked the server at the address that is not permitted.
            #expect(try await site.hits().keys.sorted() == ["127.0.0.2"])
            let calendar = try await site.get(
                "/rooms/a/timetable?week=\(week)", accept: "application/json")
            #expect(calendar.json["asOf"] as? String == goodAt)
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            last = try await site.report("rooms", after: last)
            #expect(last["outcome"] as? String == "read" && last["fault"] == nil, "\(last)")
            #expect(last["failures"] as? Int == 0)
            let events = try await site.small.campus.values(of: "whereabouts.timetables")
            #expect(events.count == 1)
            // The log of errors stays short: each report is with its feed.
            let more = site.small.campus.messages.dropFirst(said)
            #expect(more.isEmpty, "\(more.prefix(1_000))")
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A server that never ends its answer is given up after the time for it")
        func timeOut() async throws {
            let site = try await FeedSite(settings: ["WHEREABOUTS_FEED_SECONDS": "12"])
            let monday = FeedSite.comingMonday
            try await site.serve("a.ics", FeedSite.feed([("one", monday, 9, "Big Data", "a")]))
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            var last = try await site.report("rooms", after: [:])
            let goodAt = try #require(last["goodAt"] as? String)
            try await site.put("rooms", Self.calendar(site.url("bad/slow")))
            last = try await site.report("rooms", after: last)
            #expect(last["outcome"] as? String == "failed", "\(last)")
            let fault = last["fault"] as? String ?? ""
            #expect(fault.hasPrefix("time-out: "), "\(last)")
            #expect(last["goodAt"] as? String == goodAt && last["ageSeconds"] != nil)
            #expect(try await site.titles("a", FeedSite.week(of: monday)) == ["Big Data"])
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("What can be read of a calendar is taken, and the report says what was left out")
        func parts() async throws {
            let site = try await FeedSite()
            let monday = FeedSite.comingMonday
            let week = FeedSite.week(of: monday)
            let nine = monday.addingTimeInterval(9 * 3_600)
            // Latin-1, which RFC 5545 does not permit.
            let umlauts = FeedSite.feed([("one", monday, 9, "B\u{FC}cher", "a")])
            try await site.serve("a.ics", umlauts.unicodeScalars.map { UInt8($0.value) })
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            var last = try await site.report("rooms", after: [:])
            #expect(last["outcome"] as? String == "read")
            #expect("\(last["leftOut"] ?? "")".contains("no UTF-8"), "\(last)")
            #expect(try await site.titles("a", week) == ["B\u{FC}cher"])
            // An event of each minute for ever, beside a good one. Nothing is cancelled then.
            let endless = FeedSite.event(
                "endless", nine, "Endless", "b", ["RRULE:FREQ=MINUTELY", "DURATION:PT1M"])
            try await site.serve("a.ics", FeedSite.calendar([endless]))
            try await site.fetch("rooms")
            last = try await site.report("rooms", after: last)
            #expect("\(last["leftOut"] ?? "")".contains("too many instances"), "\(last)")
            #expect(try await site.titles("a", week) == ["B\u{FC}cher"])
            // Names of people stay out, unless the feed's setting has them in.
            let people = [
                "ORGANIZER;CN=Ada Person:mailto:ada@example.org",
                "ATTENDEE;CN=Bert Other:mailto:bert@example.org",
            ]
            try await site.serve(
                "p.ics", FeedSite.calendar([FeedSite.event("p", nine, "Logic", "b", people)]))
            try await site.put("people", Self.calendar(site.url("p.ics")))
            last = try await site.report("people", after: [:])
            var kept = try await Self.kept(site)
            #expect(kept.contains("Logic") && !kept.contains("example.org"))
            #expect(!kept.contains("Ada P") && !kept.contains("Bert O"))
            try await site.put(
                "people", Self.calendar(site.url("p.ics")).merging(["people": true]) { $1 })
            last = try await site.report("people", after: last)
            kept = try await Self.kept(site)
            #expect(kept.contains("Ada P") || kept.contains("ada@example.org"), "\(last)")
            // They go with the setting, also from bookings that the feed has no more.
            try await site.serve("p.ics", FeedSite.calendar([]))
            try await site.put("people", Self.calendar(site.url("p.ics")))
            let rows = try await site.small.campus.psql(
                "SELECT convert_from(event, 'UTF8') FROM timetables.bookings"
            ).joined()
            #expect(rows.contains("Logic") && !rows.contains(#""people":"#), "\(rows)")
            #expect(!rows.contains("Ada P") && !rows.contains("example.org"), "\(rows)")
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A page that has changed keeps its bookings, and the report names the path")
        func changedPage() async throws {
            let site = try await FeedSite()
            let monday = FeedSite.comingMonday
            let (week, day) = (
                FeedSite.week(of: monday), monday.formatted(.iso8601.year().month().day())
            )
            let row = "<li><b>Graphs</b><i>\(day)</i><u>10:00</u><s>11:00</s><q>a</q></li>"
            try await site.serve("list.html", "<ul>\(row)</ul>")
            let paths = [
                "rows": "//ul/li", "title": "b", "date": "i", "start": "u", "end": "s", "room": "q",
            ]
            let feed: [String: Any] = [
                "kind": "html-table", "address": site.url("list.html"), "paths": paths,
            ]
            try await site.put("list", feed)
            var last = try await site.report("list", after: [:])
            #expect(last["outcome"] as? String == "read", "\(last)")
            #expect(try await site.titles("a", week) == ["Graphs"])
            for (page, path) in [
                ("<ol>\(row)</ol>", "//ul/li"),
                ("<ul>\(row.replacing("u>", with: "em>"))</ul>", "u"), ("", nil),
            ] {
                try await site.serve("list.html", page)
                try await site.fetch("list")
                last = try await site.report("list", after: last)
                #expect(last["outcome"] as? String == "unreadable", "\(page): \(last)")
                #expect(last["path"] as? String == path, "\(page): \(last)")
                #expect(try await site.titles("a", week) == ["Graphs"], "\(page)")
            }
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A server that asks for a pause gets it, for all feeds of its host")
        func pause() async throws {
            let site = try await FeedSite()
            try await site.serve("a.ics", FeedSite.feed([]))
            try await site.put("busy", Self.calendar(site.url("bad/busy")))
            let report = try await site.report("busy", after: [:])
            #expect(report["fault"] as? String == "the server answers 429")
            let pause = try await site.small.campus.psql(
                """
                SELECT extract(epoch FROM not_before - now()) > 3500,
                    extract(epoch FROM next_at - now()) > 3500
                FROM timetables.hosts, timetables.feeds
                """)
            #expect(pause == ["t\tt"])
            try await site.put("other", Self.calendar(site.url("a.ics")))
            // One that is due at the same time, of another host, is fetched meanwhile.
            try await site.put("third", Self.calendar(site.secureURL("a.ics")))
            _ = try await site.report("third", after: [:])
            let waiting = try await site.report("other")
            #expect(waiting["fetchedAt"] == nil && waiting["pausedUntil"] != nil, "\(waiting)")
            #expect(waiting["nextAt"] as? String == waiting["pausedUntil"] as? String)
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("Rows that can't be read hold up no feed of their host")
        func unreadRows() async throws {
            let site = try await FeedSite()
            try await site.serve("a.ics", FeedSite.feed([]))
            var last: [String: Any] = [:]
            for name in ["later-1", "later-2", "good"] {
                try await site.put(name, Self.calendar(site.url("a.ics")))
                last = try await site.report(name, after: [:])
            }
            // As a later release may have written them.
            try await site.small.campus.psql(
                """
                UPDATE timetables.feeds SET next_at = now() - interval '1 hour',
                    settings = convert_to('{"kind": "of-later"}', 'UTF8') WHERE id <> 'good'
                """)
            try await site.fetch("good")
            last = try await site.report("good", after: last)
            #expect(last["outcome"] as? String == "read", "\(last)")
            try await eventually("the others wait for their interval") {
                try await site.small.campus.psql(
                    """
                    SELECT count(*) FROM timetables.feeds
                    WHERE id <> 'good' AND lease_until IS NULL AND next_at > now()
                    """) == ["2"]
            }
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A feed whose bookings can't be stored has a report, and holds up no other")
        func notStored() async throws {
            let site = try await FeedSite()
            let monday = FeedSite.comingMonday
            try await site.serve("a.ics", FeedSite.feed([("one", monday, 9, "Logic", "a")]))
            try await site.put("good", Self.calendar(site.url("a.ics")))
            var good = try await site.report("good", after: [:])
            let said = site.small.campus.messages.count
            // As if a time limit ended its transaction each time.
            try await site.small.campus.psql(
                """
                CREATE FUNCTION timetables.refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON timetables.bookings FOR EACH ROW
                    WHEN (NEW.feed = 'large') EXECUTE FUNCTION timetables.refuse()
                """)
            try await site.put("large", Self.calendar(site.url("a.ics")))
            let failed = try await site.report("large", after: [:])
            #expect(failed["outcome"] as? String == "failed", "\(failed)")
            let fault = "its bookings can't be stored: 57014: too long"
            #expect(failed["fault"] as? String == fault, "\(failed)")
            #expect(failed["failures"] as? Int == 1, "\(failed)")
            try await site.fetch("good")
            good = try await site.report("good", after: good)
            #expect(good["outcome"] as? String == "read", "\(good)")
            let more = site.small.campus.messages.dropFirst(said)
            #expect(more.isEmpty, "\(more.prefix(1_000))")
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("However often a slow feed is asked for or changed, two fetches go to its host")
        func slowHost() async throws {
            let site = try await FeedSite()
            func hits() async throws -> Int {
                try await site.hits()["127.0.0.2"] as? Int ?? 0
            }
            for number in 0..<4 {
                try await site.put("slow", Self.calendar(site.url("bad/slow?\(number)")))
                try await Task.sleep(for: .milliseconds(1_500))
                try await site.fetch("slow")
                try await Task.sleep(for: .milliseconds(1_500))
            }
            #expect(try await hits() == 2)
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A feed whose row is locked holds up no other")
        func lockedRow() async throws {
            let site = try await FeedSite()
            try await site.serve("a.ics", FeedSite.feed([]))
            try await site.put("other", Self.calendar(site.url("a.ics")))
            var last = try await site.report("other", after: [:])
            try await site.put("slow", Self.calendar(site.url("bad/slow")))
            try await eventually("the slow feed is fetched") {
                try await site.hits()["127.0.0.2"] as? Int == 2
            }
            // Leases are renewed within this time.
            async let locked = site.small.campus.psql(
                """
                BEGIN; SELECT FROM timetables.feeds WHERE id = 'slow' FOR UPDATE;
                SELECT pg_sleep(25); COMMIT
                """)
            let clock = ContinuousClock()
            for _ in 0..<10 {
                let began = clock.now
                try await site.fetch("other")
                last = try await site.report("other", after: last)
                #expect(clock.now - began < .seconds(6), "\(site.small.campus.messages)")
                try await Task.sleep(for: .seconds(2))
            }
            _ = try await locked
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A source that gives other ids at each export leaves a limited number of rows")
        func otherIDs() async throws {
            let site = try await FeedSite()
            let campus = site.small.campus
            let monday = FeedSite.comingMonday
            let week = FeedSite.week(of: monday)
            let both = [("one", monday, 9, "Logic", "a"), ("two", monday, 10, "Sets", "a")]
            try await site.serve("a.ics", FeedSite.feed(both))
            try await site.put("rooms", Self.calendar(site.url("a.ics")))
            var last = try await site.report("rooms", after: [:])
            // Exports of an hour ago.
            try await campus.psql(
                """
                INSERT INTO timetables.bookings
                    (site, id, feed, starts_at, ends_at, is_cancelled, event, digest, changed_at)
                SELECT '\(SmallSite.name)', gen_random_uuid(), 'rooms', now(),
                    now() + interval '1 day', true, '', '', now() - interval '1 hour'
                FROM generate_series(1, 200005)
                """)
            try await site.serve("a.ics", FeedSite.feed([both[0]]))
            try await site.fetch("rooms")
            last = try await site.report("rooms", after: last)
            #expect(last["outcome"] as? String == "read", "\(last)")
            let cancelled = try await campus.psql(
                "SELECT count(*) FROM timetables.bookings WHERE is_cancelled")
            #expect(cancelled == ["200000"])
            // One that was cancelled just now is kept, and is booked again when it comes back.
            try await site.serve("a.ics", FeedSite.feed(both))
            try await site.fetch("rooms")
            last = try await site.report("rooms", after: last)
            try await eventually("both are there") {
                try await site.titles("a", week) == ["Logic", "Sets"]
            }
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private static func calendar(_ address: String) -> [String: Any] {
            ["kind": "icalendar", "address": address]
        }

        private static func many(_ count: Int) -> String {
            let events = String(
                repeating: "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261201T080000Z\r\nEND:VEVENT\r\n",
                count: count)
            return calendarText(events)
        }

        private static func calendarText(_ events: String) -> String {
            FeedSite.calendar([events])
        }

        /// All that is kept of bookings, in tables and on the log.
        private static func kept(_ site: FeedSite) async throws -> String {
            let rows = try await site.small.campus.psql(
                "SELECT convert_from(event, 'UTF8') FROM timetables.bookings")
            let events = try await site.small.campus.values(of: "whereabouts.timetables")
            return (rows + events).joined(separator: "\n")
        }
    }
}
