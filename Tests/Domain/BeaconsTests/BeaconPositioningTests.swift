import Beacons
import Geometry
import SeededRandomness
import Testing

@Suite("Average positionings") struct BeaconPositioningTests {
    /// The report's four beacons (Flair 4.4.2, 4.4.3), on a rectangle of 30 x 20 m.
    private static let worked = [
        sighting(0, 10, 30, 2), sighting(1, 40, 35, 4), sighting(2, 20, 50, 8),
        sighting(3, 25, 40, 18),
    ]

    static func sighting(
        _ index: Int, _ x: Double, _ y: Double, _ metres: Double
    ) -> BeaconSighting {
        BeaconSighting(
            beacon: BeaconIndex(index), point: Point(x: x, y: y), distanceMetres: metres)
    }

    @Test("The report's average is 8 m, in the middle of the rectangle")
    func average() {
        let position = AveragePositioning().position(of: Self.worked)
        #expect(position?.extent == .circle(radiusMetres: 8))
        #expect(position?.centre == Point(x: 25, y: 40))
    }

    @Test("The report's weighted average is 4.8125 m by its own division, and 6.417 m normalised")
    func weighted() {
        let byCount = CountDividedAveragePositioning().position(of: Self.worked)
        #expect(byCount?.extent == .circle(radiusMetres: 4.8125))
        #expect(byCount?.centre == Point(x: 25, y: 40))
        let normalised = WeightedAveragePositioning().position(of: Self.worked)
        #expect(radius(normalised).map { abs($0 - 19.25 / 3) < 1e-12 } == true)
    }

    @Test("Only the nearest beacons count")
    func nearest() {
        let far = Self.sighting(4, 1_000, 1_000, 50)
        for positioning in Self.all(beacons: 4) {
            #expect(
                positioning.position(of: [far] + Self.worked)
                    == positioning.position(of: Self.worked))
        }
    }

    @Test("No beacon gives no position, one gives its own place, and distances may be zero")
    func edges() {
        let one = Self.sighting(0, 3, 4, 7)
        let touched = [Self.sighting(0, 0, 0, 0), Self.sighting(1, 2, 0, 0)]
        for positioning in Self.all(beacons: 4) {
            #expect(positioning.position(of: []) == nil)
            #expect(
                positioning.position(of: [one])
                    == BeaconPosition(centre: one.point, extent: .circle(radiusMetres: 7)))
            #expect(
                positioning.position(of: touched)
                    == BeaconPosition(
                        centre: Point(x: 1, y: 0), extent: .circle(radiusMetres: 0)))
        }
    }

    static func all(beacons: Int) -> [any BeaconPositioning] {
        [
            AveragePositioning(beacons: beacons), WeightedAveragePositioning(beacons: beacons),
            CountDividedAveragePositioning(beacons: beacons),
        ]
    }

    private func radius(_ position: BeaconPosition?) -> Double? {
        guard case .circle(let radius)? = position?.extent else { return nil }
        return radius
    }

    /// The nearest sightings, found by removing the least again and again.
    private func slowNearest(_ sightings: [BeaconSighting], _ count: Int) -> [BeaconSighting] {
        var left = sightings
        var nearest: [BeaconSighting] = []
        while nearest.count < count, let least = left.map(\.distanceMetres).min() {
            let place = left.firstIndex { $0.distanceMetres == least }!
            nearest.append(left.remove(at: place))
        }
        return nearest
    }

    @Test("All three methods agree with plain sums", arguments: 0..<200)
    func againstSums(seed: Int) {
        var random = RandomBeacons(seed: seed)
        let sightings = random.sightings()
        let count = seed % 6 + 1
        let used = slowNearest(sightings, count)
        let n = Double(used.count)
        let total = used.map(\.distanceMetres).reduce(0, +)
        let left = used.map(\.point.x).min()!
        let right = used.map(\.point.x).max()!
        let bottom = used.map(\.point.y).min()!
        let top = used.map(\.point.y).max()!
        let middle = Point(x: (left + right) / 2, y: (bottom + top) / 2)
        expect(
            AveragePositioning(beacons: count).position(of: sightings), middle, total / n)
        var weights: [Double] = []
        for sighting in used {
            weights.append(used.count == 1 ? 1 : 1 - sighting.distanceMetres / total)
        }
        var weighted = 0.0
        var (x, y) = (0.0, 0.0)
        for (index, sighting) in used.enumerated() {
            weighted += weights[index] * sighting.distanceMetres
            x += weights[index] * sighting.point.x
            y += weights[index] * sighting.point.y
        }
        expect(
            CountDividedAveragePositioning(beacons: count).position(of: sightings), middle,
            weighted / n)
        let sum = weights.reduce(0, +)
        expect(
            WeightedAveragePositioning(beacons: count).position(of: sightings),
            Point(x: x / sum, y: y / sum), weighted / sum)
    }

    private func expect(_ position: BeaconPosition?, _ centre: Point, _ metres: Double) {
        #expect(position.map { $0.centre.distance(to: centre) < 1e-9 } == true)
        #expect(radius(position).map { abs($0 - metres) < 1e-9 } == true)
    }

    @Test("Moving the map moves the position and changes nothing else", arguments: 0..<40)
    func translation(seed: Int) {
        var random = RandomBeacons(seed: seed)
        let sightings = random.sightings()
        let moved = sightings.map { sighting in
            var sighting = sighting
            sighting.point.x += 500
            sighting.point.y -= 300
            return sighting
        }
        for positioning in Self.all(beacons: 4) {
            let (here, there) = (
                positioning.position(of: sightings)!, positioning.position(of: moved)!
            )
            let expected = Point(x: here.centre.x + 500, y: here.centre.y - 300)
            #expect(there.centre.distance(to: expected) < 1e-9)
            #expect(here.extent == there.extent)
        }
    }
}
