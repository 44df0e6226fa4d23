import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Feeds of a real server, fetched by the running service, and the answers about rooms.
    @Suite("Timetables and free computers", .serialized) struct TimetableEndTests {
        @Test("A calendar's changes are in the rooms' weeks and on PostgreSQL's log")
        func onPostgres() async throws { try await calendar(nil) }

        @Test("The same on Kafka's log", .enabled(if: RealKafka.isInstalled))
        func onKafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            defer { kafka.stop() }
            try await calendar(kafka)
        }

        private func calendar(_ kafka: RealKafka?) async throws {
            let site = try await FeedSite(kafka)
            let monday = FeedSite.comingMonday
            try await site.serve("a.ics", FeedSite.feed([("one", monday, 9, "Big Data", "a")]))
            try await site.put("rooms", ["kind": "icalendar", "address": site.url("a.ics")])
            let week = FeedSite.week(of: monday)
            try await eventually("the booking is in the week") {
                try await site.titles("a", week) == ["Big Data"]
            }
            // Other formats show the same.
            let kinds = [
                "text/calendar": "SUMMARY:Big Data", "image/svg+xml": "Big Data",
                "image/png": "PNG",
            ]
            for (type, part) in kinds {
                let answer = try await site.get("/rooms/a/timetable?week=\(week)", accept: type)
                #expect(answer.status == 200 && answer.headers["content-type"] == type)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(text.contains(part), "\(type)")
            }
            try await site.serve(
                "a.ics",
                FeedSite.feed([
                    ("one", monday, 11, "Big Data", "a"), ("two", monday, 14, "Graphs", "b"),
                ]))
            try await site.fetch("rooms")
            try await eventually("the second booking is there") {
                try await site.titles("b", week) == ["Graphs"]
            }
            try await site.serve("a.ics", FeedSite.feed([("two", monday, 14, "Graphs", "b")]))
            try await site.fetch("rooms")
            try await eventually("the first booking is gone") {
                try await site.titles("a", week) == []
            }
            // Booked, moved and booked, cancelled: nothing is written twice.
            var events: [String] = []
            try await eventually("all events are on the log") {
                events = try await site.small.campus.values(of: "whereabouts.timetables")
                return events.count >= 4
            }
            #expect(events.filter { $0.contains("Big Data") }.count == 3)
            #expect(events.filter { $0.contains("Graphs") }.count == 1)
            #expect(events.filter { $0.contains("formerStarts") }.count == 1)
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("The report's form is filled in, with its hidden field and its cookie")
        func form() async throws {
            let site = try await FeedSite()
            try await site.put(
                "form",
                [
                    "kind": "web-form", "address": site.url("form"), "room": "a",
                    "form": [
                        ["name": "zone", "values": ["z-Informatics"]],
                        ["name": "room", "values": ["Bush House (S)7.01/2/3 (Lab)"]],
                    ],
                ])
            try await eventually("the form's grid is read") {
                let report = try await site.get("/feeds/form/report")
                return report.json["outcome"] as? String == "read"
            }
            let titles = try await site.titles("a", "2026-W49")
            #expect(titles == ["7CCSMBDT BIG DATA SEM2/Prac02"])
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test(
            "Free computers are counted; when the page changes, the last number stays with its age")
        func computers() async throws {
            let site = try await FeedSite()
            let page = "<div class='c'><h2>a</h2><p>3 free</p></div>"
            try await site.serve("pc.html", page)
            try await site.put(
                "pc",
                [
                    "kind": "free-computers-html", "address": site.url("pc.html"),
                    "paths": ["rooms": "//div[@class='c']", "name": "h2", "free": "p"],
                ])
            try await eventually("the computers are counted") {
                try await site.get("/rooms/a/availability").json["available"] as? Int == 3
            }
            try await site.serve("pc.html", "<html><p>We have moved</p></html>")
            try await site.fetch("pc")
            try await eventually("the report names the path") {
                let report = try await site.get("/feeds/pc/report")
                return report.json["path"] as? String == "//div[@class='c']"
            }
            let kept = try await site.get("/rooms/a/availability")
            #expect(kept.json["available"] as? Int == 3)
            // The number has not changed for long, and the page is still read.
            try await site.small.campus.psql(
                """
                UPDATE timetables.counts SET event = convert_to(regexp_replace(
                    convert_from(event, 'UTF8'), '"asOf":"[^"]*"',
                    '"asOf":"2020-01-01T00:00:00.000Z"'), 'UTF8')
                """)
            try await site.serve("pc.html", page)
            let last = try await site.report("pc")
            try await site.fetch("pc")
            let read = try await site.report("pc", after: last)
            // Answers may be some seconds old.
            try await eventually("the number is as old as the fetch") {
                let counted = try await site.get("/rooms/a/availability").json
                return counted["available"] as? Int == 3
                    && counted["asOf"] as? String == read["goodAt"] as? String
            }
            // A disabled feed makes no sum of its room unknown.
            try await site.put(
                "pc",
                [
                    "kind": "free-computers-html", "address": site.url("pc.html"),
                    "enabled": false, "paths": ["rooms": "//div", "name": "h2", "free": "p"],
                ])
            try await eventually("it counts no more") {
                try await site.get("/rooms/a/availability").json["state"] as? String
                    == "not-counted"
            }
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }

        @Test("A free room that can be reached is found, and a booked one is not")
        func freeRooms() async throws {
            let site = try await FeedSite(settings: ["WHEREABOUTS_OPEN_SITES": SmallSite.name])
            let begin = Date().addingTimeInterval(1_800)
            try await site.serve(
                "a.ics", FeedSite.calendar([FeedSite.event("now", begin, "Now", "a")]))
            try await site.put(
                "rooms",
                ["kind": "icalendar", "address": site.url("a.ics"), "building": "house"])
            let times =
                "from=\(begin.formatted(.iso8601))"
                + "&until=\(begin.addingTimeInterval(1_800).formatted(.iso8601))"
            func free(_ answer: Answer) -> [String] {
                let rooms = answer.json["rooms"] as? [[String: Any]] ?? []
                return rooms.compactMap { $0["room"] as? String ?? $0["id"] as? String }
            }
            try await eventually("only b is free") {
                free(try await site.get("/rooms/free?\(times)&near=room:a")) == ["b"]
            }
            // A visitor's session asks by GET, without the change token that a POST needs.
            let campus = site.small.campus
            let begun = try await campus.send("POST", "/v1/session/anonymous")
            let cookie = String((begun.headers["set-cookie"] ?? "").prefix { $0 != ";" })
            let visited = try await campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/rooms/free?\(times)&near=room:a",
                headers: [("cookie", cookie)])
            #expect(visited.status == 200 && free(visited) == ["b"], "\(visited.text)")
            #expect(site.small.campus.stop() == ["whereabouts": 0])
        }
    }
}
