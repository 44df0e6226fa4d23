import Events
import Synchronization
import Testing

@Suite("Answers about rooms") struct RoomAnswersTests {
    private static let lecture = RoomBench.booking(
        600..<660, "Lecture & more", ["7.01", "7.02"])

    @Test("A booking of combined rooms is in the week of each, in every format")
    func formats() async throws {
        let bench = try await RoomBench()
        for room in ["7.01", "7.02"] {
            bench.book(room, [Self.lecture])
            let json = await bench.get("\(room)/timetable")
            #expect(json.status == 200)
            for part in [
                #""week":"2026-W47""#, #""timeZone":"Europe/London""#, #""known":true"#,
                #""title":"Lecture & more""#, #""starts":"2026-11-22T10:00:00.000Z""#,
                #""startDate":"2026-11-22","startTime":"10:00""#, #""name":"Laboratory 7.02""#,
            ] { #expect(json.text.contains(part), "\(part)") }
            let svg = await bench.get("\(room)/timetable", headers: ["accept": "image/svg+xml"])
            #expect(svg.headers["content-type"] == "image/svg+xml")
            #expect(svg.text.contains("Lecture &amp; more"))
            #expect(svg.text.contains("Bush House, 7"))
            let png = await bench.get("\(room)/timetable", headers: ["accept": "image/png"])
            #expect(Array(png.bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
            let calendar = await bench.get(
                "\(room)/timetable", headers: ["accept": "text/calendar"])
            #expect(calendar.text.contains("SUMMARY:Lecture & more"))
            #expect(calendar.text.contains("DTSTART:20261122T100000Z"))
        }
    }

    @Test("A stranger sees that a room is taken: no title, no kind, no people, no other room")
    func strangers() async throws {
        let bench = try await RoomBench()
        var lecture = Self.lecture
        (lecture.kind, lecture.people) = ("Practical", ["Dr. Who"])
        bench.book("7.01", [lecture])
        for format in ["application/json", "image/svg+xml", "text/calendar"] {
            let headers = ["accept": format]
            let staff = await bench.get("7.01/timetable", headers: headers)
            let stranger = await bench.get(
                "7.01/timetable", headers: headers, token: bench.visitor)
            #expect(staff.status == 200 && stranger.status == 200)
            #expect(staff.text.contains("Lecture"), "\(format)")
            for word in ["Lecture", "Practical", "Who", "7.02"] {
                #expect(!stranger.text.contains(word), "\(word) in \(format)")
            }
            #expect(stranger.text.contains("10:00") || stranger.text.contains("T100000"))
            #expect(staff.headers["etag"] != stranger.headers["etag"])
            #expect(stranger.headers["vary"]?.contains("cookie") == true)
        }
        let store = await bench.get("store/timetable", token: bench.visitor)
        let absent = await bench.get("no-such/timetable", token: bench.visitor)
        #expect(store.status == 404 && absent.status == 404)
        #expect(await bench.get("store/timetable").status == 200)
    }

    @Test("Another week is empty, and a room without a feed is unknown")
    func weeks() async throws {
        let bench = try await RoomBench()
        bench.book("7.01", [Self.lecture], isOld: true)
        let next = await bench.get(
            "7.01/timetable", query: [("week", "2026-W48"), ("language", "de")])
        #expect(next.text.contains(#""bookings":[]"#) && next.text.contains(#""old":true"#))
        #expect(next.text.contains("In dieser Woche ist nichts gebucht."))
        let unknown = await bench.get("7.02/timetable")
        #expect(unknown.text.contains(#""known":false"#))
        #expect(unknown.text.contains("No timetable is known for this room."))
        for (path, query, status) in [
            ("7.01/timetable", "2026-W54", 400), ("9.99/timetable", "2026-W48", 404),
        ] {
            let wrong = await bench.get(path, query: [("week", query)])
            #expect(wrong.status == status)
        }
        let stranger = await bench.get("7.01/timetable", isAnonymous: true)
        #expect(stranger.status == 401)
    }

    @Test("A week outside of the time that feeds are read for is unknown, and not empty")
    func farWeeks() async throws {
        let bench = try await RoomBench()
        bench.book("7.01", [Self.lecture])
        for (week, isKnown) in [
            ("2026-W47", true), ("2027-W40", true), ("2026-W40", false), ("2028-W01", false),
            ("2030-W01", false),
        ] {
            let answer = await bench.get("7.01/timetable", query: [("week", week)])
            #expect(answer.text.contains(#""known":\#(isKnown)"#), "\(week)")
        }
    }

    @Test("A week that the room's grid does not show is unknown, and not empty")
    func weeksOfGrid() async throws {
        let bench = try await RoomBench()
        let nextMonday = RoomBench.minute(1_440)
        func known(_ week: String) async -> Bool {
            let answer = await bench.get("7.01/timetable", query: [("week", week)])
            return answer.text.contains(#""known":true"#)
        }
        bench.book("7.01", [Self.lecture], knownUntil: nextMonday)
        #expect(await known("2026-W47"))
        #expect(await !known("2026-W48"))
        let next = await bench.get("7.01/timetable", query: [("week", "2026-W48")])
        #expect(next.text.contains("No timetable is known for this room."))
        bench.book("7.01", knownFrom: nextMonday)
        #expect(await !known("2026-W47"))
        #expect(await known("2026-W48"))
    }

    @Test("An unchanged week is not sent again", arguments: ["application/json", "image/svg+xml"])
    func tags(format: String) async throws {
        let bench = try await RoomBench()
        bench.book("7.01", [Self.lecture])
        let first = await bench.get("7.01/timetable", headers: ["accept": format])
        let tag = try #require(first.headers["etag"])
        #expect(first.headers["cache-control"] == "private, max-age=60")
        let again = await bench.get(
            "7.01/timetable", headers: ["accept": format, "if-none-match": tag])
        #expect(again.status == 304 && again.bytes.isEmpty)
        bench.book("7.01", [])
        let changed = await bench.get(
            "7.01/timetable", headers: ["accept": format, "if-none-match": tag])
        #expect(changed.status == 200)
    }

    @Test("No free computer, an unknown number and no source are different answers")
    func computers() async throws {
        let bench = try await RoomBench()
        func answer(_ language: String = "en") async -> String {
            await bench.get("7.01/availability", query: [("language", language)]).text
        }
        #expect(await answer().contains(#""state":"not-counted""#))
        bench.count("7.01", 0, of: 20)
        let none = await answer()
        #expect(none.contains(#""available":0,"total":20"#))
        #expect(none.contains("No computers are available."))
        bench.count("7.01", nil, at: -80)
        let unknown = await answer()
        #expect(!unknown.contains(#""available""#))
        #expect(unknown.contains("Unknown since Saturday 21 November, 22:40."))
        #expect(await answer("cy").contains("Anhysbys ers Dydd Sadwrn 21 Tachwedd, 22:40."))
        bench.count("7.01", 3, of: 20)
        #expect(await answer("de").contains("Freie Computer: 3 von 20."))
    }

    @Test("Free rooms are those that can be reached in time, and the others have a reason")
    func free() async throws {
        let bench = try await RoomBench(
            times: """
                {"times": [{"room": "7.02", "seconds": 90.0, "distanceMetres": 100.0}]}
                """)
        bench.book("7.01", [Self.lecture])
        bench.book("7.02")
        bench.book("store")
        let period = [
            (name: "from", value: "2026-11-22T10:30:00Z"),
            (name: "until", value: "2026-11-22T11:30:00Z"),
        ]
        let near = await bench.get(
            "free", query: period + [("near", "device:phone"), ("stepFree", "true")])
        #expect(near.status == 200)
        #expect(near.text.contains(#""rooms":[{"room":"7.02","name":"Laboratory 7.02""#))
        #expect(near.text.contains(#""seconds":90,"distanceMetres":100"#))
        #expect(near.text.contains(#""reason":"booked","bookedUntil":"2026-11-22T11:00:00.000Z""#))
        #expect(near.text.contains(#""reason":"restricted""#))
        // The router is asked only for the rooms that are free otherwise.
        let body = try #require(bench.asked.bodies.withLock { $0.first })
        #expect(body.contains(#""from":{"device":"phone"},"to":["7.02"]"#))
        #expect(body.contains(#""profile":"step-free-strict""#))
        let anywhere = await bench.get("free", query: period)
        #expect(anywhere.status == 200 && bench.asked.bodies.withLock { $0.count } == 1)
        for query in [
            [(name: "from", value: "soon")], [(name: "until", value: "2026-11-20T00:00:00Z")],
            [(name: "near", value: "moon:1")], [(name: "computers", value: "x")],
        ] {
            let wrong = await bench.get("free", query: query)
            #expect(wrong.status == 400, "\(query[0])")
        }
    }
}
