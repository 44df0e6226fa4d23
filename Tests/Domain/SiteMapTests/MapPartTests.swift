import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import SiteMap

@Suite("Maps in parts") struct MapPartTests {
    /// All squares of a zoom that a map has something in, and one around each.
    private static func tiles(_ outdoors: OutdoorsParts, zoom: Int) throws -> [MapTile] {
        let box = try #require(outdoors.box)
        let side = Double(1 << zoom)
        let across = Int(box.minimum.x * side) - 1...Int(box.maximum.x * side) + 1
        let down = Int(box.minimum.y * side) - 1...Int(box.maximum.y * side) + 1
        return across.flatMap { x in down.compactMap { MapTile(zoom: zoom, x: x, y: $0) } }
    }

    private static func crossing(seed: Int) throws -> SiteIndex {
        var random = SeededRandom(seed: seed)
        return try SmallHouse.site { document in
            for number in 0..<25 {
                func coordinate() -> Double { Double.random(in: -2_000...2_000, using: &random) }
                let stops = [[coordinate(), coordinate()], [coordinate(), coordinate()]]
                document.connections.append(
                    ConnectionRecord(
                        id: ConnectionID("way-\(number)"), kind: .walk,
                        stops: stops.map { SmallHouse.stop(nil, $0[0], $0[1]) },
                        line: [[coordinate(), coordinate()]]))
            }
        }
    }

    @Test(
        "The parts of a zoom have each way once, at most a unit beside its place", arguments: 0..<4)
    func coverage(seed: Int) throws {
        let site = try Self.crossing(seed: seed)
        let outdoors = OutdoorsParts(site)
        let map = SiteMap(outdoorsOf: site)
        let paths = map.features.filter { $0.layer == .path }.map { feature in
            feature.points.map { map.frame.geographic($0).world }
        }
        for zoom in [8, 12, 15] {
            let unit = 1.5 / MapTile(zoom: zoom, x: 0, y: 0)!.unitsAround
            var drawn: [[Point]] = []
            for tile in try Self.tiles(outdoors, zoom: zoom) {
                let part = outdoors.part(tile)
                #expect(!outdoors.isEmpty(tile) || part.lines.isEmpty && part.features.isEmpty)
                let lines = part.lines.filter { $0.layer == .path }.flatMap(\.lines)
                #expect(
                    lines.joined().allSatisfy { 0...tile.extent ~= $0.x && 0...tile.extent ~= $0.y }
                )
                drawn += lines.map { $0.map { Self.world($0, tile) } }
            }
            for line in drawn {
                for place in line { #expect(LineCuttingTests.distance(place, to: paths) < unit) }
            }
            for line in paths {
                for (start, stop) in zip(line, line.dropFirst()) {
                    for share in stride(from: 0.0, through: 1, by: 0.1) {
                        let place = Point(
                            x: start.x + share * (stop.x - start.x),
                            y: start.y + share * (stop.y - start.y))
                        #expect(LineCuttingTests.distance(place, to: drawn) < unit)
                    }
                }
            }
        }
    }

    private static func world(_ point: GridPoint, _ tile: MapTile) -> Point {
        Point(
            x: Double(tile.x * tile.extent + point.x) / tile.unitsAround,
            y: Double(tile.y * tile.extent + point.y) / tile.unitsAround)
    }

    @Test("A part near by has each area that touches it; from afar small ones are gone")
    func areas() throws {
        let outdoors = OutdoorsParts(try SmallHouse.site())
        func found(_ zoom: Int) throws -> Set<String> {
            Set(
                try Self.tiles(outdoors, zoom: zoom).flatMap { outdoors.part($0).features }
                    .map { "\($0.feature.layer.rawValue) \($0.feature.id)" })
        }
        #expect(try found(15) == ["building house", "building annexe", "entrance front"])
        #expect(try found(13) == ["building house", "building annexe"])
        #expect(try found(8).isEmpty)
        // A square is empty if it has neither features nor lines.
        for tile in try Self.tiles(outdoors, zoom: 15) {
            let part = outdoors.part(tile)
            #expect(part.isEmpty == (part.features.isEmpty && part.lines.isEmpty))
        }
        #expect(outdoors.part(try #require(MapTile(zoom: 15, x: 0, y: 0))).isEmpty)
    }

    @Test("The part of a floor has its rooms, doors and names, and no surroundings")
    func floor() throws {
        let part = MapPart(wholeFloor: try SiteMapTests.ground())
        #expect(
            part.features.map { "\($0.feature.layer.rawValue) \($0.feature.id)" } == [
                "floor g", "area hall", "area a", "area wc", "area plant", "zone quiet",
                "stairs stairs", "lift lift", "entrance front", "place meet",
            ])
        #expect(part.lines.map(\.layer) == [.door] && part.lines[0].lines.count == 1)
        let room = try #require(part.features.first { $0.feature.id == "a" })
        guard case .area(let rings) = room.shape else {
            Issue.record("a room is an area")
            return
        }
        let map = try SiteMapTests.ground()
        let corners = try SiteMapTests.feature("a", map).points
        #expect(rings[0].count == corners.count)
        for (point, corner) in zip(rings[0], corners) {
            let place = GeographicPoint(world: Self.world(point, part.tile))
            #expect(map.frame.point(place).distance(to: corner) < 0.02)
        }
    }

    @Test("A place in the world and its degrees are the same place", arguments: 0..<50)
    func world(seed: Int) {
        var random = SeededRandom(seed: seed)
        let place = GeographicPoint(
            latitude: Double.random(in: -84...84, using: &random),
            longitude: Double.random(in: -180...180, using: &random))
        let back = GeographicPoint(world: place.world)
        #expect(abs(back.latitude - place.latitude) < 1e-9)
        #expect(abs(back.longitude - place.longitude) < 1e-9)
    }

    @Test("There are squares of the world only, at the zooms that have parts")
    func tiles() {
        for (zoom, x, y) in [
            (7, 0, 0), (16, 0, 0), (8, -1, 0), (8, 256, 0), (8, 0, 256), (15, 0, 1 << 15),
            (Int.max, 0, 0), (9, Int.min, 0),
        ] { #expect(MapTile(zoom: zoom, x: x, y: y) == nil) }
        #expect(MapTile(zoom: 15, x: 0, y: (1 << 15) - 1) != nil)
    }

    @Test("The overview counts the areas of each floor as its map shows them")
    func overview() throws {
        let site = try SmallHouse.site()
        let overview = MapOverview(of: site, outdoors: OutdoorsParts(site))
        for floor in overview.floors {
            let map = try #require(SiteMap(of: site, floor: floor.id))
            #expect(floor.areas == map.features.filter { [.area, .zone].contains($0.layer) }.count)
        }
        #expect(overview.floors.map(\.areas) == [5, 0])
        let street = site.frame.geographic(Point(x: 600, y: 0))
        #expect(abs(try #require(overview.box).northEast.longitude - street.longitude) < 1e-6)
    }

    @Test(
        "The overview has each building that has floors, with the box of its outline or its rooms")
    func buildings() throws {
        let site = try SmallHouse.site()
        var document = site.document
        document.buildings.append(
            BuildingRecord(id: BuildingID("shed"), name: "Shed", timeZone: "Europe/London"))
        for outline in [Ring(), [[-7, -9], [40, -9], [40, 30], [-7, 30]]] {
            document.buildings[0].outline = outline
            let site = try SiteIndex(document)
            let overview = MapOverview(of: site, outdoors: OutdoorsParts(site))
            #expect(overview.buildings.map(\.record.id) == [document.buildings[0].id])
            let own = Set(document.floors.map(\.id))
            let rooms = document.rooms.filter { own.contains($0.floor) }
            let corners =
                outline.corners + (outline.corners.isEmpty ? rooms : []).flatMap(\.outline.corners)
            let places = corners.map { site.frame.geographic($0) }
            let box = try #require(overview.buildings[0].box)
            #expect(abs(box.southWest.latitude - (places.map(\.latitude).min() ?? 0)) < 1e-9)
            #expect(abs(box.southWest.longitude - (places.map(\.longitude).min() ?? 0)) < 1e-9)
            #expect(abs(box.northEast.latitude - (places.map(\.latitude).max() ?? 0)) < 1e-9)
            #expect(abs(box.northEast.longitude - (places.map(\.longitude).max() ?? 0)) < 1e-9)
        }
    }

    @Test(
        "The heart of many points is the square that a count of all squares finds",
        arguments: 0..<20)
    func heart(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let middle = Double.random(in: 0.1...0.9, using: &random)
        let points = (0..<400).map { number in
            let spread = number % 2 == 0 ? 0.02 : 0.9
            return Point(
                x: Double.random(in: 0...spread, using: &random) + (spread < 0.5 ? middle : 0),
                y: Double.random(in: 0...spread, using: &random) + (spread < 0.5 ? middle : 0))
        }
        let bounds = try #require(BoundingBox(points))
        let side = max(bounds.width, bounds.height) / SiteMap.squaresAlong
        var most = 0
        for x in 0...24 {
            for y in 0...24 {
                let count = points.filter {
                    Int(($0.x - bounds.minimum.x) / side) == x
                        && Int(($0.y - bounds.minimum.y) / side) == y
                }.count
                most = max(most, count)
            }
        }
        let heart = SiteMap.heart(of: points, within: bounds)
        #expect(abs(heart.width - 1.5 * side) < 1e-9 && abs(heart.height - 1.5 * side) < 1e-9)
        let within = points.filter {
            $0.x >= heart.minimum.x + side / 4 && $0.x < heart.maximum.x - side / 4
                && $0.y >= heart.minimum.y + side / 4 && $0.y < heart.maximum.y - side / 4
        }
        #expect(abs(within.count - most) <= 1, "a point may lie on an edge")
    }

    @Test("The heart of some points leaves a tenth out on each side, and few points have none")
    func fewPoints() throws {
        let points = (0...10).map { Point(x: Double($0), y: Double(10 - $0)) }
        let bounds = try #require(BoundingBox(points))
        let heart = SiteMap.heart(of: points, within: bounds)
        #expect(heart == BoundingBox(around: [1, 1]).including([9, 9]))
        #expect(SiteMap.heart(of: Array(points.prefix(7)), within: bounds) == bounds)
    }
}
