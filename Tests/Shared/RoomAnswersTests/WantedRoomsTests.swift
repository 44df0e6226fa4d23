import ServiceBench
import Testing

@Suite("Rooms that are wanted, and who may see them") struct WantedRoomsTests {
    @Test("Passages are found by their kind alone, and a kind that no room has is refused")
    func kinds() async throws {
        let bench = try await RoomBench()
        for room in ["7.01", "passage"] { bench.book(room) }
        let all = await bench.get("free")
        #expect(all.text.contains(#""room":"7.01""#) && !all.text.contains("passage"))
        // A word for the same kind.
        let passages = await bench.get("free", query: [("kind", "hallway")])
        #expect(passages.text.contains(#""room":"passage""#))
        #expect(!passages.text.contains(#""room":"7.01""#))
        let unknown = await bench.get("free", query: [("kind", "aquarium")])
        #expect(unknown.status == 400 && unknown.text.contains(#""code":"field-out-of-range""#))
        #expect(unknown.text.contains("kind") && unknown.text.contains("corridor, kitchen, lab"))
    }

    @Test("A feed of a building covers rooms of the kinds that it books, and no others")
    func coverage() async throws {
        let bench = try await RoomBench()
        bench.book("7.01")
        bench.book("7.02", isNamed: false)
        bench.book("kitchen", isNamed: false)
        // The other building has a feed of its own, which books nothing.
        bench.book("a.1", isNamed: false)
        let all = await bench.get("free")
        #expect(all.text.contains(#""room":"7.01""#) && all.text.contains(#""room":"7.02""#))
        #expect(!all.text.contains("kitchen") && !all.text.contains("a.1"))
        let kitchens = await bench.get("free", query: [("kind", "kitchen")])
        #expect(kitchens.text.contains(#""reason":"timetable-unknown""#), "\(kitchens.text)")
    }

    @Test("A room with a booking that can't be read is not called free")
    func unreadable() async throws {
        let bench = try await RoomBench()
        bench.book("kitchen", isComplete: false)
        let kitchens = await bench.get("free", query: [("kind", "kitchen")])
        #expect(kitchens.text.contains(#""reason":"timetable-unknown""#), "\(kitchens.text)")
    }

    @Test("A room with a feed that was never read shows what is known, and is left out by name")
    func neverRead() async throws {
        let bench = try await RoomBench()
        bench.book(
            "7.01", [RoomBench.booking(600..<660, "Lecture", ["7.01"])], isComplete: false)
        let json = await bench.get("7.01/timetable")
        #expect(json.text.contains(#""known":false"#) && json.text.contains("Lecture"))
        let words = "A part of this timetable is unknown."
        #expect(json.text.contains(#""text":"\#(words)""#), "\(json.text)")
        let picture = await bench.get("7.01/timetable", headers: ["accept": "image/svg+xml"])
        #expect(picture.text.contains("Lecture") && picture.text.contains(words))
        let free = await bench.get("free")
        #expect(free.text.contains(#""rooms":[]"#), "\(free.text)")
        #expect(free.text.contains(#""room":"7.01""#), "\(free.text)")
        #expect(free.text.contains(#""reason":"timetable-unknown""#), "\(free.text)")
    }

    @Test(
        "A misspelt parameter is refused, with those that are known",
        arguments: [
            ("free", "nera", "kind, language, near"), ("7.01/timetable", "wek", "language, week"),
            ("7.01/availability", "week", "ones are: language."),
        ])
    func misspelt(path: String, name: String, known: String) async throws {
        let bench = try await RoomBench()
        let answer = await bench.get(path, query: [(name, "2026-W48")])
        #expect(answer.status == 400 && answer.text.contains("field-unknown"))
        #expect(answer.text.contains("no parameter \(name);") && answer.text.contains(known))
    }

    @Test("A room is not called free after the last week of its grid")
    func afterGrid() async throws {
        let bench = try await RoomBench()
        bench.book("7.01", knownUntil: RoomBench.minute(7 * 1_440))
        bench.book("7.02")
        for (day, first) in [("28", "7.01"), ("29", "7.02")] {
            let from = (name: "from", value: "2026-11-\(day)T09:00:00Z")
            let answer = await bench.get("free", query: [from])
            #expect(answer.text.contains(#""rooms":[{"room":"\#(first)""#), "\(answer.text)")
            let end = #""freeUntil":"2026-11-29T00:00:00.000Z""#
            #expect(answer.text.contains(end) == (first == "7.01"), "\(answer.text)")
        }
        // Bookings of the time after are not read yet.
        bench.book("7.01", knownUntil: RoomBench.minute(30 * 1_440))
        #expect(await !bench.get("free").text.contains("freeUntil"))
    }

    @Test("A room is not called free before the first week of its grid")
    func beforeGrid() async throws {
        let bench = try await RoomBench()
        bench.book("7.01", knownFrom: RoomBench.minute(7 * 1_440))
        bench.book("7.02")
        for (day, first) in [("28", "7.02"), ("29", "7.01")] {
            let from = (name: "from", value: "2026-11-\(day)T09:00:00Z")
            let answer = await bench.get("free", query: [from])
            #expect(answer.text.contains(#""rooms":[{"room":"\#(first)""#), "\(answer.text)")
        }
    }

    @Test(
        "A time of which no timetable says anything is refused",
        arguments: [
            ("2026-11-14T09:00:00Z", 400), ("2026-11-16T09:00:00Z", 200),
            ("2027-11-21T22:00:00Z", 200), ("2027-11-21T23:30:00Z", 400),
        ])
    func horizon(from: String, status: Int) async throws {
        let bench = try await RoomBench()
        bench.book("7.01")
        let answer = await bench.get("free", query: [(name: "from", value: from)])
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.text.contains("365 days ahead") == (status == 400), "\(answer.text)")
    }

    @Test(
        "A place that the site lacks is a fault of the parameter near",
        arguments: [
            ("room:nope", 422, "room-unknown"), ("nope", 422, "room-unknown"),
            ("location:nope", 422, "location-unknown"), ("moon:1", 400, "place-malformed"),
        ])
    func places(near: String, status: Int, code: String) async throws {
        let bench = try await RoomBench()
        // No room is free, so the router is not asked.
        let answer = await bench.get("free", query: [("near", near)])
        #expect(answer.status == status && answer.text.contains(#""code":"\#(code)""#))
        #expect(answer.text.contains("near"))
    }

    @Test("A device that the router does not know is a fault of the parameter near, too")
    func devices() async throws {
        let bench = try await RoomBench(isPlaceUnknown: true)
        bench.book("7.01")
        let answer = await bench.get("free", query: [("near", "device:nope")])
        #expect(answer.status == 400 && answer.text.contains("near: "), "\(answer.text)")
    }

    @Test("A token of one building sees no room of another, in no format and from no cache")
    func buildings() async throws {
        let bench = try await RoomBench()
        for room in ["7.01", "kitchen", "a.1"] { bench.book(room) }
        bench.count("7.01", 3, of: 20)
        let guest = bench.token(of: ["annex"])
        for format in ["application/json", "image/svg+xml", "image/png", "text/calendar"] {
            for path in ["7.01/timetable", "a.1/timetable"] {
                let seen = await bench.get(path, headers: ["accept": format])
                #expect(seen.status == 200, "\(path)")
            }
            let other = await bench.get(
                "7.01/timetable", headers: ["accept": format], token: guest)
            #expect(other.status == 403 && other.text.contains("building-not-yours"))
            let own = await bench.get("a.1/timetable", headers: ["accept": format], token: guest)
            #expect(own.status == 200)
        }
        #expect(await bench.get("7.01/availability").status == 200)
        #expect(await bench.get("7.01/availability", token: guest).status == 403)
        let all = await bench.get("free")
        #expect(all.text.contains(#""room":"7.01""#) && all.text.contains(#""room":"a.1""#))
        let seen = await bench.get("free", token: guest)
        #expect(seen.text.contains(#""room":"a.1""#) && !seen.text.contains("7.01"))
        let kind = await bench.get("free", query: [("kind", "kitchen")], token: guest)
        #expect(kind.status == 400 && !kind.text.contains("kitchen"))
    }

    @Test("A booking's other room in a building that the caller may not see has no name")
    func combined() async throws {
        let bench = try await RoomBench()
        let booking = RoomBench.booking(600..<660, "Lecture", ["a.1", "7.01"])
        bench.book("a.1", [booking])
        let guest = bench.token(of: ["annex"])
        for format in ["application/json", "text/calendar"] {
            let headers = ["accept": format]
            let all = await bench.get("a.1/timetable", headers: headers)
            #expect(all.text.contains("Laboratory 7.01"), "\(format)")
            let seen = await bench.get("a.1/timetable", headers: headers, token: guest)
            #expect(seen.status == 200 && seen.text.contains("Lecture"), "\(format)")
            #expect(!seen.text.contains("Laboratory 7.01"), "\(format)")
            #expect(seen.text.contains("7.01"), "\(format): like a room that the site lacks")
        }
    }

    @Test(
        "A place near which the caller may see nothing is answered as one that the site lacks",
        arguments: [
            ("room:7.01", "room-unknown", "room:a.1"), ("7.01", "room-unknown", "a.1"),
            ("location:hall", "location-unknown", "location:yard"),
        ])
    func hidden(near: String, code: String, own: String) async throws {
        let bench = try await RoomBench()
        let guest = bench.token(of: ["annex"])
        let seen = await bench.get("free", query: [("near", near)])
        #expect(seen.status == 200, "\(seen.text)")
        let hidden = await bench.get("free", query: [("near", near)], token: guest)
        #expect(hidden.status == 422 && hidden.text.contains(#""code":"\#(code)""#))
        let there = await bench.get("free", query: [("near", own)], token: guest)
        #expect(there.status == 200, "\(there.text)")
    }

    @Test("Requests within five seconds are answered from the same rows")
    func rows() async throws {
        let bench = try await RoomBench()
        bench.book("7.01")
        let before = bench.scheduleCalls
        for _ in 0..<3 {
            #expect(await bench.get("free").text.contains(#""room":"7.01""#))
            bench.bench.pass(seconds: 1)
        }
        #expect(bench.scheduleCalls == before + 1)
        bench.pass()
        _ = await bench.get("free")
        #expect(bench.scheduleCalls == before + 2)
    }
}
