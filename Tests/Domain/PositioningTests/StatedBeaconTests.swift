import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Beacons on floors with few surveys") struct StatedBeaconTests {
    /// The sample site with beacons on its ground floor.
    private static func site(_ points: [Point]) throws -> SiteIndex {
        var document = SampleSite.index.document
        document.beacons = points.enumerated().map { number, point in
            SiteBeacon(
                id: BeaconID("beacon-\(number)"), floor: SampleSite.ground, point: point,
                uuid: EventID(high: 1, low: 1), major: 1, minor: number)
        }
        return try SiteIndex(document)
    }

    @Test("The positioners of a site share the ways to its beacons, of which at most 200 locate")
    func shared() throws {
        let site = try Self.site((0..<205).map { Point(x: 0.09 * Double($0), y: 1) })
        let stated = StatedFloors(.empty, site: site)
        let first = try #require(BeaconEvidence(stated, site: site))
        let second = try #require(BeaconEvidence(stated, site: site))
        #expect(first.fields.nodes.count == 200)
        #expect(first.fields.ground === second.fields.ground)
    }

    @Test("Trials of a radio map prepare no beacons", arguments: [nil, "knn"])
    func trials(choice: String?) {
        #expect(ChosenPositioner.following(choice) is BesideBeacons)
        #expect(!(ChosenPositioner.withoutBeacons(choice) is BesideBeacons))
    }

    @Test("Tracks walk around the beacons of a floor with few surveys, and not of one with many")
    func walkable() throws {
        let beacon = Point(x: 60, y: 60)
        let site = try Self.site([beacon])
        for (count, isWalkable) in [(3, true), (60, false)] {
            let surveys = SampleSite.surveys.prefix(count)
            let map = RadioMapBuilder.build(surveys, site: site).map
            let graph = WalkableGraphBuilder.build(map: map, site: site)
            #expect(graph.cells.contains { $0.point.distance(to: beacon) < 3 } == isWalkable)
        }
    }

    @Test("One survey far off does not make the graph coarser beside beacons")
    func farOff() throws {
        let site = try Self.site([Point(x: 5, y: 5)])
        let scan = SampleSite.scan(
            10_000, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -70)],
            seconds: 1_200_000)
        let far = SurveyRecorded(
            scan: scan, place: .metres(floor: SampleSite.ground, x: 90_000, y: -90_000))
        let map = RadioMapBuilder.build(SampleSite.surveys.prefix(5) + [far], site: site).map
        let graph = WalkableGraphBuilder.build(map: map, site: site)
        #expect(graph.pitch == WalkableGraph.pitchMetres)
    }

    @Test("A map with one survey has all rooms of the beacons' floor, each once")
    func rooms() throws {
        let site = try Self.site([Point(x: 5, y: 5)])
        let map = RadioMapBuilder.build(SampleSite.surveys.prefix(1), site: site).map
        let stated = StatedFloors(map, site: site)
        #expect(stated.byBeacons == [SampleSite.ground])
        let rooms = site.rooms.filter { $0.floor == SampleSite.ground }.map(\.id)
        #expect(Set(stated.map.rooms).isSuperset(of: rooms))
        #expect(Set(stated.map.rooms).count == stated.map.rooms.count)
        #expect(stated.map.rooms.starts(with: map.rooms))
        let again = StatedFloors(stated.map, site: site).map
        #expect(again.rooms == stated.map.rooms)
        #expect(again.floors == stated.map.floors)
    }

    @Test("A reading that is stronger than half a metre allows is as near as can be")
    func strongest() throws {
        let site = try Self.site([Point(x: 5, y: 5)])
        let evidence = try #require(
            BeaconEvidence(StatedFloors(.empty, site: site), site: site))
        func heard(_ rssi: Int) -> Float? {
            var scan = SampleSite.scan(1, wifi: [])
            scan.ble = [
                BluetoothReading(uuid: EventID(high: 1, low: 1), major: 1, minor: 0, rssi: rssi)
            ]
            return evidence.heard(RadioScan(scan)).first?.rssi
        }
        #expect(heard(-60) == -60)
        #expect(heard(-53) == -53)
        let nearest = try #require(heard(-50))
        #expect((-53 ... -52).contains(nearest))
        #expect([-40, -20, -1].allSatisfy { heard($0) == nearest })
        #expect(heard(0) == nil)
    }

    @Test("The ground of beacons and surveys is counted as by looking at each square metre")
    func ground() {
        var random = SeededRandom(seed: 5)
        func points(_ count: Int, _ side: Double) -> [Point] {
            (0..<count).map { _ in
                Point(
                    x: Double.random(in: 0..<side, using: &random),
                    y: Double.random(in: 0..<side, using: &random))
            }
        }
        var decisions: Set<Bool> = []
        for number in 0..<60 {
            let beacons = points(number % 4 + 1, 30)
            let surveys = points([0, 5, 40, 200][number / 4 % 4], number % 3 == 0 ? 12 : 40)
            let isDrawn = number % 5 != 0
            let isInRoom = { (point: Point) in point.x < 31 && point.y > 2 }
            let ground = BeaconGround(
                beacons: beacons, surveys: surveys, isInRoom: isDrawn ? isInRoom : nil)
            let slow = SlowBeaconGround(
                beacons: beacons, surveys: surveys, isInRoom: isDrawn ? isInRoom : nil)
            #expect(ground.onlyBeacons == slow.onlyBeacons)
            #expect(ground.onlySurveys == slow.onlySurveys)
            #expect(ground.isMissed == slow.isMissed)
            decisions.insert(ground.needsBeacons)
        }
        #expect(decisions.count == 2)
    }

    @Test("Surveys replace beacons only where they are around all of them, or reach much farther")
    func replaced() {
        let beacons = [Point(x: 6, y: 6), Point(x: 18, y: 6)]
        func grid(_ width: Int, _ height: Int, _ pitch: Double) -> [Point] {
            (0..<width).flatMap { x in
                (0..<height).map {
                    Point(x: pitch * (Double(x) + 0.5), y: pitch * (Double($0) + 0.5))
                }
            }
        }
        func needsBeacons(_ surveys: [Point], width: Double = 24) -> Bool {
            BeaconGround(
                beacons: beacons, surveys: surveys,
                isInRoom: {
                    (0...width).contains($0.x) && (0...12).contains($0.y)
                }
            ).needsBeacons
        }
        // Fifty surveys in one room, then both rooms in 3 m, then in 6 m.
        #expect(needsBeacons(grid(10, 5, 1.2)))
        #expect(!needsBeacons(grid(8, 4, 3)))
        #expect(needsBeacons(grid(4, 2, 6)))
        // A hall of 100 m, surveyed but for the second beacon's room.
        let hall = grid(33, 4, 3)
        #expect(!needsBeacons(hall.filter { !(12...24).contains($0.x) }, width: 100))
    }
}

/// The slow twin of `BeaconGround`: each square of a large area, with each beacon and survey.
private struct SlowBeaconGround {
    var isMissed = false
    var (onlyBeacons, onlySurveys) = (0, 0)

    init(beacons: [Point], surveys: [Point], isInRoom: ((Point) -> Bool)?) {
        let reach = isInRoom == nil ? 2.5 : 10.0
        let near = isInRoom == nil ? 2.5 : 5.0
        var tallies = [(all: Int, missed: Int)](repeating: (0, 0), count: beacons.count)
        for column in -30..<80 {
            for row in -30..<80 {
                let middle = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
                guard isInRoom?(middle) ?? true else { continue }
                let isSurveyed = surveys.contains { $0.distance(to: middle) <= 2.5 }
                let isServed = beacons.contains { $0.distance(to: middle) <= reach }
                if isServed, !isSurveyed { onlyBeacons += 1 }
                if isSurveyed, !isServed { onlySurveys += 1 }
                for (index, beacon) in beacons.enumerated()
                where beacon.distance(to: middle) <= near {
                    tallies[index].all += 1
                    if !isSurveyed { tallies[index].missed += 1 }
                }
            }
        }
        isMissed = tallies.contains { 3 * $0.missed > $0.all }
    }
}
