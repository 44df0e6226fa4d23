import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct OutdoorsModelTests {
    @Test(
        "A level is the mean of the strongest known readings, as sorting gives it",
        arguments: 0..<20)
    func level(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let levels = RadioLevel(map)
        var readings = RandomMap.scan(&random).readings
        readings.append(
            RadioReading(transmitter: .wifi(HardwareAddress(value: 0xFFFF_FFFF)), rssi: -1))
        let scan = RadioScan(readings: readings, at: Timestamp(milliseconds: 0))
        for count in 1...8 {
            let known = scan.readings.filter { map.transmitters.contains($0.transmitter) }
                .map { max(OutdoorsRules.missingLevel, Double($0.rssi)) }
            let padding = [Double](repeating: OutdoorsRules.missingLevel, count: count)
            let slow = (known + padding).sorted(by: >).prefix(count).reduce(0, +) / Double(count)
            #expect(abs(levels.level(of: scan, count: count) - slow) < 1e-9)
        }
    }

    @Test("The level behind a door is that of all surveys around it", arguments: 0..<10)
    func around(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let levels = RadioLevel(map)
        for floor in map.floors.indices.map(Int32.init) {
            for _ in 0..<20 {
                let point = Point(
                    x: .random(in: -12...32, using: &random),
                    y: .random(in: -8...12, using: &random))
                let slow = map.fingerprints.indices.filter {
                    map.fingerprints[$0].floor == floor
                        && map.fingerprints[$0].point.distance(to: point)
                            <= OutdoorsRules.surveyMetres
                }
                #expect(
                    levels.reference(at: point, on: floor)
                        == levels.reference(slow, OutdoorsRules.deviationAtDoor))
            }
            let all = map.fingerprints.indices.filter { map.fingerprints[$0].floor == floor }
            #expect(
                levels.reference(on: floor)
                    == levels.reference(all, OutdoorsRules.deviationAnywhere))
        }
    }

    /// The sample site with a door that leads outdoors, and an outline.
    private func siteWithDoor() throws -> SiteIndex {
        var document = SampleSite.index.document
        document.buildings[0].outline = [[0, 0], [20, 0], [20, 6], [0, 6]]
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID("door"), kind: .door,
                stops: [
                    ConnectionStop(floor: nil, point: [0, 1]),
                    ConnectionStop(floor: SampleSite.ground, room: RoomID("C"), point: [0, 1]),
                ]))
        return try SiteIndex(document)
    }

    private func model(_ site: SiteIndex) -> (OutdoorsModel, WalkableGraph) {
        var random = SeededRandom(seed: 3)
        let map = StatedFloors(RandomMap.make(&random), site: site).map
        let graph = WalkableGraphBuilder.build(map: map, site: site)
        return (OutdoorsModel(map: map, site: site, graph: graph), graph)
    }

    @Test("Doors are the connections with a stop outdoors and one on a floor")
    func doors() throws {
        #expect(model(SampleSite.index).0.doors.isEmpty)
        let doors = model(try siteWithDoor()).0.doors
        #expect(doors.map(\.point) == [Point(x: 0, y: 1)])
        #expect(doors.allSatisfy { $0.level != nil })
    }

    @Test("Each cell is as near to its floor's nearest door as the distance says")
    func spots() throws {
        let (model, graph) = model(try siteWithDoor())
        #expect(model.spots.count == graph.cells.count)
        for (cell, spot) in zip(graph.cells, model.spots) {
            let isOnFloor = graph.floors[Int(cell.floor)] == SampleSite.ground
            let slow = OutdoorsRules.nearness(metres: cell.point.distance(to: [0, 1]))
            #expect(abs(spot.nearness - (isOnFloor ? slow : 0)) < 1e-9)
            #expect(spot.door == (isOnFloor ? 0 : nil))
        }
    }

    /// The sides after scans of one place, every three seconds, by a device that has sent a fix
    /// before.
    private func sides(
        _ site: SiteIndex, count: Int, readings: [RadioReading], fix: SatelliteEvidence?,
        inRoomAt point: Point, hasFix: Bool = true, restSeconds: Float = 0
    ) throws -> [Bool] {
        let (model, graph) = model(site)
        let floor = try #require(graph.floors.firstIndex(of: SampleSite.ground))
        let cell = try #require(graph.cell(at: point, on: Int32(floor)))
        var state = TrackState(
            at: 0, heardAt: 0, floor: Int32(floor), room: -1, scanRadius68: 3, scanRadius95: 6,
            beliefs: [
                TrackState.Belief(index: Int32(cell * TrackState.Belief.modes), weight: 1)
            ])
        state.outdoors.hasFix = hasFix
        state.settling.seconds = restSeconds
        return (0..<count).map { number in
            let scan = RadioScan(
                readings: readings, at: Timestamp(microseconds: Int64(number) * 3_000_000))
            let side = model.side(
                scan, fix: fix, after: state, start: nil, isPoor: true, seconds: 3)
            state.outdoors = side
            if side.isOutdoors { state.beliefs = [] }
            return side.isOutdoors
        }
    }

    private func faint(_ site: SiteIndex) -> [RadioReading] {
        var random = SeededRandom(seed: 3)
        return RandomMap.make(&random).transmitters.prefix(4).map {
            RadioReading(transmitter: $0, rssi: -93)
        }
    }

    @Test("Radio alone puts a device outdoors beside a door, and nowhere in a site without doors")
    func radioAlone() throws {
        let site = try siteWithDoor()
        let point = Point(x: 1, y: 1)
        let leaving = try sides(
            site, count: 6, readings: faint(site), fix: nil, inRoomAt: point)
        #expect(leaving.last == true)
        let staying = try sides(
            SampleSite.index, count: 6, readings: faint(site), fix: nil, inRoomAt: point)
        #expect(!staying.contains(true))
    }

    @Test("Radio alone puts nobody outdoors who is at rest, or has sent no fix yet")
    func radioAloneIndoors() throws {
        let site = try siteWithDoor()
        for (hasFix, restSeconds) in [(false, Float(0)), (true, 600), (false, 600)] {
            let sides = try sides(
                site, count: 30, readings: faint(site), fix: nil, inRoomAt: Point(x: 1, y: 1),
                hasFix: hasFix, restSeconds: restSeconds)
            #expect(!sides.contains(true))
        }
    }

    @Test("A silent scan says nothing")
    func silent() throws {
        let site = try siteWithDoor()
        let sides = try sides(
            site, count: 30, readings: [], fix: nil, inRoomAt: Point(x: 1, y: 1))
        #expect(!sides.contains(true))
    }

    @Test("A scan of radios that receive none of the map's transmitters says nothing")
    func otherRadios() throws {
        let site = try siteWithDoor()
        let others: [Transmitter] = [
            .bluetooth(HardwareAddress(value: 0xF0F0)), .node(ScannerID("node")),
        ]
        for other in others {
            let sides = try sides(
                site, count: 30, readings: [RadioReading(transmitter: other, rssi: -60)],
                fix: nil, inRoomAt: Point(x: 1, y: 1))
            #expect(!sides.contains(true))
        }
        let unknown = RadioReading(
            transmitter: .wifi(HardwareAddress(value: 0xFFFF_FFFF)), rssi: -60)
        let leaving = try sides(
            site, count: 6, readings: [unknown], fix: nil, inRoomAt: Point(x: 1, y: 1))
        #expect(leaving.last == true)
    }

    @Test("Behind a door without surveys is the level of its floor")
    func farDoor() throws {
        var document = SampleSite.index.document
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID("far"), kind: .door,
                stops: [
                    ConnectionStop(floor: nil, point: [200, 1]),
                    ConnectionStop(floor: SampleSite.first, point: [200, 1]),
                ]))
        let site = try SiteIndex(document)
        var random = SeededRandom(seed: 3)
        let map = StatedFloors(RandomMap.make(&random), site: site).map
        let graph = WalkableGraphBuilder.build(map: map, site: site)
        let first = try #require(map.floors.firstIndex(of: SampleSite.first))
        let expected = RadioLevel(map).reference(on: Int32(first))
        #expect(expected != nil)
        #expect(OutdoorsModel(map: map, site: site, graph: graph).doors.map(\.level) == [expected])
    }
}
