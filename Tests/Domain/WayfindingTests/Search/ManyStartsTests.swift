import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Wayfinding

@Suite("Ways from many starts to many ends") struct ManyStartsTests {
    private static let letters = ["a", "b", "c", "d", "e", "f"]

    /// A corridor with six rooms; no letter is a location.
    private static let building = DrawnBuilding(
        """
        ###################
        #aaaaa#bbbbb#ccccc#
        #aaaaa#bbbbb#ccccc#
        ##+#####+######+###
        #hhhhhhhhhhhhhhhhh#
        ###+#####+#####+###
        #ddddd#eeeee#fffff#
        #ddddd#eeeee#fffff#
        ###################
        """)

    private static func journey(_ finder: WayFinder) -> RouteJourney {
        RouteJourney(finder, Drawn.query(Drawn.room("a0"), Drawn.room("b0")), [])
    }

    private static func place(_ random: inout SeededRandom) -> JoinedPlace {
        var place = JoinedPlace()
        if Int.random(in: 0..<3, using: &random) > 0 {
            place.room = RoomIndex(Int.random(in: 0..<30, using: &random))
        }
        if Bool.random(using: &random) {
            // Points at distances about the one below which two are the same.
            place.spot = PlaceSpot(
                level: [nil, FloorIndex(0), FloorIndex(1)].randomElement(using: &random) ?? nil,
                point: Point(
                    x: Double(Int.random(in: -9...9, using: &random)) * 0.006,
                    y: Double(Int.random(in: -9...9, using: &random)) * 0.006))
        }
        return place
    }

    @Test(
        "A start that is at an end is found as by comparing all",
        arguments: 0..<40 as Range<UInt64>)
    func places(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let ends = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
            Self.place(&random)
        }
        let places = EndPlaces(ends)
        for _ in 0..<100 {
            let start = Self.place(&random)
            let slow = RouteJourney.JoinedEnds(start, ends.map { (0, $0) }).endAtStart != nil
            #expect(places.contains(start) == slow, "\(start)")
        }
    }

    @Test("Each of many starts is compared with few of many ends")
    func comparisons() {
        func place(_ number: Int) -> JoinedPlace {
            let point = Point(x: Double(number % 150) * 3, y: Double(number / 150) * 3)
            return JoinedPlace(spot: PlaceSpot(level: FloorIndex(0), point: point))
        }
        let many = (0..<RouteQuery.mostPlaces).map(place)
        // The same end twice costs nothing more.
        let places = EndPlaces(many + many)
        let compared = many.reduce(0) { $0 + ($1.spot.map { places.beside($0).count } ?? 0) }
        #expect(compared == many.count)
    }

    /// With the targets of all ends once for each start, this would take tens of gigabytes.
    @Test("Many starts and many ends need no more than each of them once")
    func many() throws {
        let finder = try Self.building.finder()
        let journey = Self.journey(finder)
        let joined = try journey.join(over: journey.metric) { _ in true }
        let most = RouteQuery.mostPlaces
        var far = joined.start
        far.anchors = []
        let starts = Array(repeating: far, count: most - 1) + [joined.start]
        let ends = Array(repeating: joined.ends[0], count: most)
        let nearest = journey.nearest(of: starts, to: ends, over: journey.metric)
        #expect(!nearest.anchors.isEmpty)
    }

    @Test(
        "The way from any of several rooms is the best of the ways from each",
        arguments: 0..<30 as Range<UInt64>)
    func best(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var building = Self.building
        for letter in Self.letters {
            building.edit(RoomID(letter + "0")) { room in
                room.kind = ["shop", "lab", "den"].randomElement(using: &random) ?? "den"
            }
        }
        let finder = try building.finder()
        let rooms = finder.network.site.rooms
        for from in ["shop", "lab", "den"] where rooms.contains(where: { $0.kind == from }) {
            for to in ["shop", "lab", "den"] where rooms.contains(where: { $0.kind == to }) {
                let answer = finder.answer(Drawn.query(.kind(from), .kind(to)))
                let single = rooms.filter { $0.kind == from }.map {
                    Self.cost(finder.answer(Drawn.query(.room($0.id), .kind(to))))
                }
                #expect(Self.cost(answer) == single.min())
            }
        }
    }

    private static func cost(_ answer: RouteAnswer) -> UInt32 {
        guard case .found(let routes) = answer else { return .max }
        return UInt32(routes[0].costMilliseconds)
    }

    @Test("Places that stand for too many are refused, not cut")
    func tooMany() throws {
        var building = Self.building
        building.edit { document in
            for number in 0..<100 {
                document.rooms.append(
                    RoomRecord(
                        id: RoomID("bare\(number)"), floor: FloorID("0"), name: "", kind: "bare",
                        outline: []))
            }
            document.zones = ["x", "y", "z"].map { id in
                ZoneRecord(
                    id: ZoneID(id), name: id, kind: "zone",
                    rooms: Array(repeating: RoomID("a0"), count: 10_000))
            }
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("all"), kind: "service", name: "All",
                    places: document.zones.map { .zone($0.id) })
            ]
        }
        let finder = WayFinder(try WayNetwork(try SiteIndex(building.document)))
        func isMalformed(_ query: RouteQuery) -> Bool {
            if case .none(.malformed) = finder.answer(query) { true } else { false }
        }
        var query = Drawn.query(Drawn.room("a0"), Drawn.room("b0"))
        query.to = Array(repeating: .kind("bare"), count: 199) + [Drawn.room("b0")]
        #expect(!isMalformed(query))
        query.to = Array(repeating: .kind("bare"), count: 201)
        #expect(isMalformed(query))
        query.to = [Drawn.room("b0")]
        query.from = .entry(DirectoryID("all"))
        #expect(isMalformed(query))
    }
}
