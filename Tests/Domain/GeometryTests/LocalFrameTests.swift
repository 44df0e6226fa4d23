import Geometry
import SeededRandomness
import Testing

@Suite struct LocalFrameTests {
    private static let places: [(Double, Double)] = [
        (51.5129, -0.1167), (39.993, -0.067), (0, 0), (-33.9, 179.99), (69.6, -179.999), (84, 20),
    ]

    @Test("Conversion there and back is exact to a millimetre up to 5 km away", arguments: 0..<60)
    func roundTrip(seed: Int) {
        var random = SeededRandom(seed: seed)
        let (latitude, longitude) = Self.places[seed % Self.places.count]
        let frame = LocalFrame(
            originLatitude: latitude, originLongitude: longitude,
            bearingDegrees: .random(in: 0...360, using: &random))
        let point = Point(
            x: .random(in: -5_000...5_000, using: &random),
            y: .random(in: -5_000...5_000, using: &random))
        let back = frame.point(frame.geographic(point))
        #expect(point.distance(to: back) < 1e-6)
    }

    @Test("The origin is x = 0, y = 0; north is y and east is x without a bearing")
    func axes() {
        let frame = LocalFrame(originLatitude: 50, originLongitude: 8, bearingDegrees: 0)
        let origin = frame.point(GeographicPoint(latitude: 50, longitude: 8))
        #expect(origin.distance(to: Point(x: 0, y: 0)) < 1e-9)
        let north = frame.point(GeographicPoint(latitude: 50.001, longitude: 8))
        // A minute of latitude at 50 degrees is 1,853.7 m long (Bowditch, table 7).
        #expect(abs(north.y - 111.2287) < 0.001)
        #expect(abs(north.x) < 1e-9)
        #expect(frame.point(GeographicPoint(latitude: 50, longitude: 8.001)).x > 71)
    }

    @Test("A bearing of 90 degrees turns the y axis to the east")
    func bearing() {
        let frame = LocalFrame(originLatitude: 50, originLongitude: 8, bearingDegrees: 90)
        let east = frame.geographic(Point(x: 0, y: 100))
        #expect(east.longitude > 8.0013)
        #expect(abs(east.latitude - 50) < 1e-7)
        #expect(frame.geographic(Point(x: 100, y: 0)).latitude < 50)
    }

    @Test("Distances agree with three-dimensional ones on the ellipsoid", arguments: 0..<20)
    func againstEarthCentred(seed: Int) {
        var random = SeededRandom(seed: seed)
        let frame = LocalFrame(originLatitude: 48, originLongitude: 11, bearingDegrees: 30)
        let a = Point(x: .random(in: -999...999, using: &random), y: 500)
        let b = Point(x: -200, y: .random(in: -999...999, using: &random))
        let chord = earthCentredDistance(frame.geographic(a), frame.geographic(b))
        #expect(abs(chord - a.distance(to: b)) < 0.001)
    }
}
