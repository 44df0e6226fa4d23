import Beacons
import Geometry
import Glibc
import SeededRandomness
import Testing

@Suite("Linear and combined positioning") struct LinearPositioningTests {
    /// The beacons of a map for which `metres` gives a distance.
    private func sightings(
        _ map: BeaconMap, _ metres: (Int, Point) -> Double?
    ) -> [BeaconSighting] {
        map.beacons.enumerated().compactMap { index, beacon in
            metres(index, beacon.point).map {
                BeaconSighting(
                    beacon: BeaconIndex(index), point: beacon.point, distanceMetres: $0)
            }
        }
    }

    private func hallway(ring: Bool = false, _ places: [(Double, Double)]) throws -> BeaconMap {
        try BeaconMap(document([places], ring: ring))
    }

    @Test(
        "True distances give the true place, in whatever direction the hallway runs",
        arguments: 0..<72)
    func truth(step: Int) throws {
        let angle = Double(step) * .pi / 36
        func along(_ metres: Double) -> (Double, Double) {
            (500 + metres * cos(angle), 500 + metres * sin(angle))
        }
        let map = try hallway([along(0), along(10), along(20), along(30)])
        // The places are before the first beacon, between two, and behind the last.
        for metres in [-3, 0, 4, 12, 15.5, 30, 34] as [Double] {
            let (x, y) = along(metres)
            let place = Point(x: x, y: y)
            let heard = sightings(map) { $1.distance(to: place) }
            for positioning in [
                LinearPositioning(map: map), CombinedPositioning(map: map),
            ] as [any BeaconPositioning] {
                let position = try #require(positioning.position(of: heard))
                #expect(position.centre.distance(to: place) < 1e-9, "at \(metres) m")
                guard case .bar(let from, let to) = position.extent else {
                    Issue.record("not a bar at \(metres) m")
                    continue
                }
                #expect(from.distance(to: to) < 1e-9)
            }
        }
    }

    @Test("The nearer of two neighbours weighs more, and the bar spans both estimates")
    func weights() throws {
        let map = try hallway([(0, 5), (10, 5), (20, 5)])
        // One estimate is 6 m right of the first beacon, at 6, with a weight of 1/4. The other is 2
        // m left of the last one, at 18, with 3/4.
        let heard = sightings(map) { index, _ in [6, 1, 2][index] }
        let position = LinearPositioning(map: map).position(of: heard)
        #expect(
            position
                == BeaconPosition(
                    centre: Point(x: 15, y: 5),
                    extent: .bar(from: Point(x: 6, y: 5), to: Point(x: 18, y: 5))))
    }

    @Test("In a ring the last beacon is the first one's neighbour; in a row it is not")
    func ring() throws {
        let corners: [(Double, Double)] = [(0, 0), (10, 0), (20, 0), (20, 10), (10, 10), (0, 10)]
        let ring = try hallway(ring: true, corners)
        let row = try hallway(corners)
        // The device is on the left side, between the last and the first beacon. The second is
        // received from afar.
        let heard = sightings(ring) { index, _ in [4, 12, nil, nil, nil, 6][index] }
        let inRing = try #require(LinearPositioning(map: ring).position(of: heard))
        #expect(abs(inRing.centre.x + inRing.centre.y - 10) < 1e-9)
        #expect(
            CombinedPositioning(map: ring).position(of: heard)
                == WeightedAveragePositioning().position(of: heard))
        let inRow = try #require(LinearPositioning(map: row).position(of: heard))
        #expect(inRow.centre.y == 0)
        // If only the last and the first are received, the place on the side is found.
        let side = sightings(ring) { index, _ in [4, nil, nil, nil, nil, 6][index] }
        let onSide = try #require(CombinedPositioning(map: ring).position(of: side))
        #expect(onSide.centre.distance(to: Point(x: 0, y: 4)) < 1e-9)
    }

    @Test("No beacon gives no position, and one without neighbours gives its own place")
    func edges() throws {
        let map = try BeaconMap(document([[(0, 0), (10, 0)], [(5, 5)]]))
        let linear = LinearPositioning(map: map)
        let combined = CombinedPositioning(map: map)
        #expect(linear.position(of: []) == nil && combined.position(of: []) == nil)
        // The nearest beacon is the only one received in its group; the other group does not count.
        let heard = sightings(map) { index, _ in [8, nil, 2][index] }
        #expect(
            linear.position(of: heard)
                == BeaconPosition(
                    centre: Point(x: 5, y: 5), extent: .circle(radiusMetres: 2)))
        // Beacons at one place have no line between them.
        let pile = try hallway([(3, 3), (3, 3), (3, 3)])
        let piled = sightings(pile) { index, _ in Double(index) + 1 }
        #expect(
            LinearPositioning(map: pile).position(of: piled)
                == BeaconPosition(
                    centre: Point(x: 3, y: 3), extent: .circle(radiusMetres: 1)))
    }

    @Test("In the corner of a triangle the average is used, along a side the line")
    func triangle() throws {
        let map = try hallway(
            ring: true, [(0, 0), (10, 0), (20, 0), (15, 9), (10, 18), (5, 9)])
        let combined = CombinedPositioning(map: map)
        let corner = sightings(map) { index, _ in [3, 8, nil, nil, nil, 8][index] }
        let average = WeightedAveragePositioning().position(of: corner)
        #expect(combined.position(of: corner) == average)
        let side = sightings(map) { index, _ in [9, 1, 9, nil, nil, nil][index] }
        #expect(combined.position(of: side)?.centre == Point(x: 10, y: 0))
        #expect(combined.position(of: side) == LinearPositioning(map: map).position(of: side))
    }

    @Test(
        "Linear and combined agree with the report's x and slope on turned maps", arguments: 0..<300
    )
    func againstSlope(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 1...7, using: &random)
        let spread = Bool.random(using: &random) ? 0.8 : 20
        let angle = Double.random(in: 0...(2 * .pi), using: &random)
        let places = (0..<count).map { index in
            let x = Double(index) * 8 + .random(in: -3...3, using: &random)
            let y = Double.random(in: -spread...spread, using: &random)
            return (
                500 + x * cos(angle) - y * sin(angle), 500 + x * sin(angle) + y * cos(angle)
            )
        }
        let isRing = count > 2 && Bool.random(using: &random)
        let map = try hallway(ring: isRing, places)
        let heard = sightings(map) { _, _ in
            Bool.random(using: &random) ? .random(in: 0.1...15, using: &random) : nil
        }
        let slow = SlowLinear(map: map, isRing: isRing, heard: heard)
        let linear = LinearPositioning(map: map).position(of: heard.shuffled(using: &random))
        expect(linear, slow.position())
        let combined = CombinedPositioning(map: map).position(of: heard.shuffled(using: &random))
        expect(
            combined,
            slow.isLinear(tolerance: 1)
                ? slow.position() : WeightedAveragePositioning().position(of: heard))
    }

    private func expect(_ position: BeaconPosition?, _ slow: BeaconPosition?) {
        #expect((position == nil) == (slow == nil))
        guard let position, let slow else { return }
        #expect(position.centre.distance(to: slow.centre) < 1e-6)
        switch (position.extent, slow.extent) {
        case (.circle(let one), .circle(let other)): #expect(abs(one - other) < 1e-6)
        case (.bar(let a, let b), .bar(let c, let d)):
            #expect(min(a.distance(to: c), a.distance(to: d)) < 1e-6)
            #expect(min(b.distance(to: c), b.distance(to: d)) < 1e-6)
        default: Issue.record("\(position.extent) is not \(slow.extent)")
        }
    }
}
