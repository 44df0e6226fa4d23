import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Timetables

private func room(_ id: String, _ name: String, floor: String = "s7") -> RoomRecord {
    RoomRecord(id: RoomID(id), floor: FloorID(floor), name: name, kind: "lab", outline: [])
}

private func labs(_ further: [RoomRecord] = []) -> SiteDocument {
    SiteDocument(
        name: "Campus", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
        buildings: ["bush-s", "bush-n"].map {
            BuildingRecord(id: BuildingID($0), name: $0, timeZone: "Europe/London")
        },
        floors: [
            FloorRecord(id: FloorID("s7"), building: BuildingID("bush-s"), ordinal: 7, level: "7"),
            FloorRecord(id: FloorID("n7"), building: BuildingID("bush-n"), ordinal: 7, level: "7"),
        ],
        rooms: [
            room("s-7.01", "7.01"), room("s-7.02", "7.02"), room("s-7.03", "7.03"),
            room("s-6.01", "6.01"), room("K4U.13", "Thirteen"), room("K4U.14", "Fourteen"),
        ] + further)
}

private func booking(_ places: String...) -> FoundBooking {
    FoundBooking(
        key: "1", places: places, starts: Timestamp(microseconds: 0),
        ends: Timestamp(microseconds: 1), title: "Logic")
}

@Suite struct RoomMatchingTests {
    private func rooms(
        _ place: String, _ patterns: [String], site: SiteDocument = labs()
    ) -> [String] {
        var matching = RoomMatching(site, patterns: patterns.compactMap { RoomPattern($0) })
        return matching.rooms(of: booking(place)).map(\.text).sorted()
    }

    @Test(
        "The text at {room} is a room's id or name",
        arguments: [
            ("Bush House (S)7.01", "Bush House (S){room}", ["s-7.01"]),
            ("bush  house (s) 7.01", "Bush House (S){room}", ["s-7.01"]),
            ("Bush House (S)6.01 (Lab)", "Bush House (S){room}*", ["s-6.01"]),
            (
                "Bush House (S)7.01/2/3 (Lab)", "Bush House (S){room}*",
                ["s-7.01", "s-7.02", "s-7.03"]
            ),
            ("STD-BH (S) 7.01/2 (Lab) (80)", "*(S){room}(Lab)*", ["s-7.01", "s-7.02"]),
            ("Bush House (S)7.012", "Bush House (S){room}*", []),
            ("Bush House (N)7.01", "Bush House (S){room}", []),
            ("KINGS BLDG K4U.13/14", "KINGS BLDG {room}", ["K4U.13", "K4U.14"]),
            ("s-7.02", "{room}", ["s-7.02"]), ("7.02; 7.03", "{room}", ["s-7.02", "s-7.03"]),
            ("7.01+7.03", "{room}", ["s-7.01", "s-7.03"]), ("Lab 7.01", "L?b {room}", ["s-7.01"]),
        ])
    func patterns(place: String, pattern: String, expected: [String]) {
        #expect(rooms(place, [pattern]) == expected)
    }

    @Test("A room whose own name is the combined text is that room")
    func ownName() {
        let site = labs([room("s-all", "7.01/2/3")])
        #expect(rooms("7.01/2/3", [], site: site) == ["s-all"])
    }

    @Test("A name in two buildings is ambiguous until the feed names its building")
    func ambiguous() {
        let site = labs([room("n-7.01", "7.01", floor: "n7")])
        var all = RoomMatching(site, patterns: [])
        #expect(all.rooms(of: booking("7.01")).isEmpty)
        #expect(all.unmatched.places.map(\.reason) == [.ambiguous])
        var north = RoomMatching(site, patterns: [], building: BuildingID("bush-n"))
        #expect(north.rooms(of: booking("7.01")) == [RoomID("n-7.01")])
    }

    @Test("A part that is no room is reported, and the others count")
    func partly() {
        var matching = RoomMatching(labs(), patterns: [RoomPattern("(S){room}*")!])
        #expect(matching.rooms(of: booking("(S)7.01/2/9 (Lab)")).count == 2)
        #expect(matching.unmatched.places.map(\.text) == ["7.09"])
    }

    @Test("Places without a room are counted, and only so many are named")
    func report() {
        var matching = RoomMatching(labs(), patterns: [])
        for number in 0..<150 { _ = matching.rooms(of: booking("Hall \(number)")) }
        for _ in 0..<3 { _ = matching.rooms(of: booking("Hall 0")) }
        _ = matching.rooms(of: booking())
        _ = matching.rooms(of: booking("  "))
        #expect(matching.unmatched.places.count == 100)
        #expect(matching.unmatched.places[0].bookings == 4)
        #expect(matching.unmatched.otherBookings == 50)
        #expect(matching.unmatched.withoutPlace == 2)
    }

    @Test("The room of a feed takes all bookings; one that the site lacks is reported")
    func fixed() {
        var fixed = RoomMatching(labs(), patterns: [], room: RoomID("s-6.01"))
        #expect(fixed.rooms(of: booking()) == [RoomID("s-6.01")])
        var lacking = RoomMatching(labs(), patterns: [], room: RoomID("gone"))
        #expect(lacking.rooms(of: booking("7.01")).isEmpty)
        #expect(lacking.unmatched.places.map(\.text) == ["gone"])
    }

    @Test("A text with very many parts is looked up in some of them, and its room is found")
    func manyParts() throws {
        let text = "House 7.01" + String(repeating: "(", count: 280)
        let pattern = try #require(RoomPattern("House {room}*"))
        var built = 0
        let captures = pattern.captures(in: folded(text), builtBytes: &built)
        #expect(captures.count == RoomPattern.mostCaptures && captures.last == "7.01")
        #expect(built >= captures.reduce(0) { $0 + $1.utf8.count })
        #expect(zip(captures, captures.dropFirst()).allSatisfy { $0.count > $1.count })
        #expect(rooms(text, [pattern.text]) == ["s-7.01"])
    }

    @Test("The work for all places of a feed has a limit")
    func exhausted() throws {
        let pattern = try #require(RoomPattern("House {room}*"))
        var matching = RoomMatching(labs(), patterns: [pattern])
        matching.mostBuiltBytes = 100_000
        _ = matching.rooms(of: booking("House 7.01 (Lab)"))
        #expect(!matching.isExhausted)
        for number in 0..<9 {
            let end = String(repeating: "(", count: 280)
            _ = matching.rooms(of: booking("House \(number)" + end))
        }
        #expect(matching.isExhausted)
    }

    @Test("Texts that are the same count as work, too: repeated letters give thousands of them")
    func repeated() throws {
        let pattern = try #require(RoomPattern("*{room}*"))
        let text = String(repeating: "(", count: 300)
        var built = 0
        let captures = pattern.captures(in: folded(text), builtBytes: &built)
        #expect(captures.count == RoomPattern.mostCaptures && built > 2_000_000)
        var matching = RoomMatching(labs(), patterns: [pattern, .plain])
        matching.mostBuiltBytes = 1_000_000
        #expect(matching.rooms(of: booking(text)).isEmpty && matching.isExhausted)
    }

    @Test("A booking that begins and ends in one millisecond is none, since no event can have it")
    func milliseconds() {
        func found(_ key: String, _ starts: Int64, _ ends: Int64) -> FoundBooking {
            FoundBooking(
                key: key, places: ["7.01"], starts: Timestamp(microseconds: starts),
                ends: Timestamp(microseconds: ends), title: key)
        }
        var matching = RoomMatching(labs(), patterns: [])
        let content = FeedContent(
            [found("a", 100, 200), found("bb", 999, 1_000)], site: SiteID("campus"),
            feed: FeedID("labs"), keepsPeople: false, matching: &matching,
            id: { EventID(high: 1, low: UInt64($0.utf8.count)) })
        #expect(content.bookings.map(\.title) == ["bb"])
        #expect(content.bookings.allSatisfy { $0.ends > $0.starts })
        // A cancellation needs no length.
        var cancelled = found("ccc", 100, 100)
        cancelled.isCancelled = true
        let without = FeedContent(
            [cancelled], site: SiteID("campus"), feed: FeedID("labs"), keepsPeople: false,
            matching: &matching, id: { EventID(high: 1, low: UInt64($0.utf8.count)) })
        #expect(without.cancelled == [EventID(high: 1, low: 3)])
    }

    @Test("A feed whose bookings have too many rooms in all can't be used")
    func manyRooms() {
        func hasTooMany(_ most: Int) -> Bool {
            var matching = RoomMatching(labs(), patterns: [])
            let found = (1...3).map { number in
                FoundBooking(
                    key: "\(number)", places: ["7.01"], starts: Timestamp(microseconds: 0),
                    ends: Timestamp(microseconds: 3_600_000_000), title: "Logic")
            }
            let content = FeedContent(
                found, site: SiteID("campus"), feed: FeedID("labs"), keepsPeople: false,
                matching: &matching, mostRooms: most,
                id: { EventID(high: 1, low: UInt64($0) ?? 0) })
            return content.hasTooManyRooms
        }
        #expect(hasTooMany(2) && !hasTooMany(3))
    }

    @Test("A pattern has {room} once", arguments: ["", "7.01", "{room}{room}", "{ROOM}"])
    func malformed(text: String) { #expect(RoomPattern(text) == nil) }

    /// All ways to match, by trying each.
    private func plainMatches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>)
        -> Bool
    {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return plainMatches(pattern.dropFirst(), text)
                || !text.isEmpty && plainMatches(pattern, text.dropFirst())
        }
        guard let character = text.first else { return false }
        return (first == "?" || first == character)
            && plainMatches(pattern.dropFirst(), text.dropFirst())
    }

    @Test("Captures are those of the slow search", arguments: 0..<300)
    func captures(seed: Int) {
        var random = SeededRandom(seed: seed)
        func some(_ letters: String, atMost count: Int) -> String {
            String(
                (0..<Int.random(in: 0...count, using: &random)).map { _ in
                    letters.randomElement(using: &random)!
                })
        }
        let (before, after) = (some("ab?", atMost: 3), some("ab?", atMost: 3))
        let starred = Bool.random(using: &random)
        let prefix = starred ? some("ab*", atMost: 3) + "a" : before
        let suffix = starred ? "b" + some("ab*", atMost: 3) : after
        let text = Array(some("ab", atMost: 8))
        var expected: Set<String> = []
        for start in 0...text.count {
            for end in start...text.count where end > start {
                if plainMatches(Array(prefix)[...], text[..<start]),
                    plainMatches(Array(suffix)[...], text[end...])
                {
                    expected.insert(String(text[start..<end]))
                }
            }
        }
        var built = 0
        let found = RoomPattern("\(prefix){room}\(suffix)")!.captures(
            in: text, builtBytes: &built)
        #expect(Set(found) == expected)
        #expect(found.count == expected.count && built >= found.joined().utf8.count)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.count >= $1.count })
    }
}
