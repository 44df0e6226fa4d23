import Foundation
import HTTPClient
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    /// Feeds of a real server, fetched by the running service, and the answers about rooms.
    @Suite("Timetables and free computers", .serialized) struct TimetableEndTests {
        private static let path = "/v1/sites/\(SmallSite.name)"

        @Test("A calendar's changes are in the rooms' weeks and on PostgreSQL's log")
        func onPostgres() async throws { try await calendar(nil) }

        @Test("The same on Kafka's log", .enabled(if: RealKafka.isInstalled))
        func onKafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            defer { kafka.stop() }
            try await calendar(kafka)
        }

        private func calendar(_ kafka: RealKafka?) async throws {
            let (site, server) = try await Self.start(kafka)
            let monday = Self.comingMonday
            try await server.put("a.ics", Self.feed([("one", monday, 9, "Big Data", "a")]))
            try await Self.put(
                site, "rooms", ["kind": "icalendar", "address": server.url("a.ics")])
            let week = Self.week(of: monday)
            try await eventually("the booking is in the week") {
                try await Self.titles(site, "a", week) == ["Big Data"]
            }
            // Other formats show the same.
            let kinds = [
                "text/calendar": "SUMMARY:Big Data", "image/svg+xml": "Big Data",
                "image/png": "PNG",
            ]
            for (type, part) in kinds {
                let answer = try await Self.get(
                    site, "/rooms/a/timetable?week=\(week)", accept: type)
                #expect(answer.status == 200 && answer.headers["content-type"] == type)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(text.contains(part), "\(type)")
            }
            try await server.put(
                "a.ics",
                Self.feed([
                    ("one", monday, 11, "Big Data", "a"), ("two", monday, 14, "Graphs", "b"),
                ]))
            try await Self.fetch(site, "rooms")
            try await eventually("the second booking is there") {
                try await Self.titles(site, "b", week) == ["Graphs"]
            }
            try await server.put("a.ics", Self.feed([("two", monday, 14, "Graphs", "b")]))
            try await Self.fetch(site, "rooms")
            try await eventually("the first booking is gone") {
                try await Self.titles(site, "a", week) == []
            }
            // Booked, moved and booked, cancelled: nothing is written twice.
            let events = try await site.campus.values(of: "whereabouts.timetables")
            #expect(events.filter { $0.contains("Big Data") }.count == 3)
            #expect(events.filter { $0.contains("Graphs") }.count == 1)
            #expect(events.filter { $0.contains("formerStarts") }.count == 1)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("The report's form is filled in, with its hidden field and its cookie")
        func form() async throws {
            let (site, server) = try await Self.start()
            try await Self.put(
                site, "form",
                [
                    "kind": "web-form", "address": server.url("form"), "room": "a",
                    "form": [
                        ["name": "zone", "values": ["z-Informatics"]],
                        ["name": "room", "values": ["Bush House (S)7.01/2/3 (Lab)"]],
                    ],
                ])
            try await eventually("the form's grid is read") {
                let report = try await Self.get(site, "/feeds/form/report")
                return report.json["outcome"] as? String == "read"
            }
            let titles = try await Self.titles(site, "a", "2026-W49")
            #expect(titles == ["7CCSMBDT BIG DATA SEM2/Prac02"])
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test(
            "Free computers are counted; when the page changes, the last number stays with its age")
        func computers() async throws {
            let (site, server) = try await Self.start()
            let page = "<div class='c'><h2>a</h2><p>3 free</p></div>"
            try await server.put("pc.html", page)
            try await Self.put(
                site, "pc",
                [
                    "kind": "free-computers-html", "address": server.url("pc.html"),
                    "paths": ["rooms": "//div[@class='c']", "name": "h2", "free": "p"],
                ])
            try await eventually("the computers are counted") {
                try await Self.get(site, "/rooms/a/availability").json["available"] as? Int == 3
            }
            try await server.put("pc.html", "<html><p>We have moved</p></html>")
            try await Self.fetch(site, "pc")
            try await eventually("the report names the path") {
                let report = try await Self.get(site, "/feeds/pc/report")
                return report.json["path"] as? String == "//div[@class='c']"
            }
            let kept = try await Self.get(site, "/rooms/a/availability")
            #expect(kept.json["available"] as? Int == 3)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("A free room that can be reached is found, and a booked one is not")
        func freeRooms() async throws {
            let (site, server) = try await Self.start()
            let begin = Date().addingTimeInterval(1_800)
            try await server.put("a.ics", Self.feed(at: begin, "Now", room: "a"))
            try await Self.put(
                site, "rooms",
                ["kind": "icalendar", "address": server.url("a.ics"), "building": "house"])
            let times =
                "from=\(begin.formatted(.iso8601))"
                + "&until=\(begin.addingTimeInterval(1_800).formatted(.iso8601))"
            try await eventually("only b is free") {
                let answer = try await Self.get(site, "/rooms/free?\(times)&near=room:a")
                let free = answer.json["rooms"] as? [[String: Any]] ?? []
                return free.compactMap { $0["room"] as? String ?? $0["id"] as? String } == ["b"]
            }
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("A private address is refused, also behind a redirect, and unless it is permitted")
        func privateAddress() async throws {
            let site = try await SmallSite()
            try await Self.put(
                site, "inside", ["kind": "icalendar", "address": "http://127.0.0.1:9/x.ics"])
            try await eventually("the fetch is refused") {
                let report = try await Self.get(site, "/feeds/inside/report")
                return report.json["outcome"] as? String == "failed"
            }
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        // MARK: The feed's server

        private struct FeedServer: Sendable {
            let port: Int
            let process: ServerProcess
            let client = HTTPClient()

            init(folder: URL) async throws {
                port = freePorts(1)[0]
                let program = repository.appending(path: "Tests/System/FeedServer/feed_server.py")
                process = try ServerProcess(
                    ["python3", program.path, "\(port)"],
                    logPath: folder.appending(path: "feed-server.log").path)
                try await eventually("the feed's server answers") {
                    (try? await client.send("GET", url("asked")))?.status == 200
                }
            }

            func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

            func put(_ name: String, _ text: String) async throws {
                let answer = try await client.send("PUT", url(name), body: Array(text.utf8))
                try #require(answer.status == 204)
            }
        }

        private static func start(
            _ kafka: RealKafka? = nil
        ) async throws -> (SmallSite, FeedServer) {
            let site = try await SmallSite(
                settings: ["WHEREABOUTS_FEED_NETWORKS": "127.0.0.0/8"], kafka: kafka)
            return (site, try await FeedServer(folder: site.campus.folder))
        }

        // MARK: Feeds

        private static var comingMonday: Date {
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = .gmt
            let next = calendar.nextDate(
                after: Date(), matching: DateComponents(hour: 0, weekday: 2),
                matchingPolicy: .nextTime)
            return next ?? Date()
        }

        private static func week(of day: Date) -> String {
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = .gmt
            let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: day)
            let week = parts.weekOfYear ?? 1
            return "\(parts.yearForWeekOfYear ?? 0)-W\(week < 10 ? "0" : "")\(week)"
        }

        private static func feed(_ events: [(String, Date, Int, String, String)]) -> String {
            calendarText(
                events.map { uid, day, hour, title, room in
                    event(uid, day.addingTimeInterval(Double(hour) * 3_600), title, room)
                })
        }

        private static func feed(at moment: Date, _ title: String, room: String) -> String {
            calendarText([event("now", moment, title, room)])
        }

        private static func event(
            _ uid: String, _ begin: Date, _ title: String, _ room: String
        ) -> String {
            "BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:\(stamp(begin))\r\nDURATION:PT1H\r\n"
                + "SUMMARY:\(title)\r\nLOCATION:\(room)\r\nEND:VEVENT\r\n"
        }

        private static func calendarText(_ events: [String]) -> String {
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n" + events.joined()
                + "END:VCALENDAR\r\n"
        }

        private static func stamp(_ moment: Date) -> String {
            moment.formatted(.iso8601).filter { !"-:".contains($0) }
        }

        // MARK: Requests

        private static func put(
            _ site: SmallSite, _ id: String, _ feed: [String: Any]
        ) async throws {
            let answer = try await site.campus.send(
                "PUT", "\(path)/feeds/\(id)", token: site.administrator, body: jsonText(feed))
            try #require(answer.status == 201, "\(answer.text)")
        }

        private static func fetch(_ site: SmallSite, _ id: String) async throws {
            let answer = try await site.campus.send(
                "POST", "\(path)/feeds/\(id)/fetch", token: site.administrator)
            try #require(answer.status == 202, "\(answer.text)")
        }

        private static func get(
            _ site: SmallSite, _ path: String, accept: String = "application/json"
        ) async throws -> Answer {
            try await site.campus.send(
                "GET", Self.path + path, token: site.administrator,
                headers: [("accept", accept)])
        }

        private static func titles(
            _ site: SmallSite, _ room: String, _ week: String
        ) async throws -> [String] {
            let answer = try await get(site, "/rooms/\(room)/timetable?week=\(week)")
            let bookings = answer.json["bookings"] as? [[String: Any]] ?? []
            return bookings.compactMap { $0["title"] as? String }
        }
    }
}
