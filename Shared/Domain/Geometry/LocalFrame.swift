import Glibc

/// A point in WGS84 coordinates, in degrees.
public struct GeographicPoint: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A site's flat frame of metres and its place on the WGS84 ellipsoid.
///
/// The projection is the ellipsoidal orthographic one, turned by the bearing (EPSG method 9840;
/// IOGP Guidance Note 7-2, section "Orthographic"). For points on the ellipsoid it is the
/// horizontal part of topocentric east, north, up. Lengths at 5 km from the origin are short by 0.3
/// millionths.
public struct LocalFrame: Hashable, Sendable {
    /// WGS84's semi-major axis in metres, and its eccentricity squared (NIMA TR8350.2, section
    /// 3.2).
    static let semiMajorAxis = 6_378_137.0
    static let eccentricitySquared = 0.006_694_379_990_141_316

    public let origin: GeographicPoint
    /// Degrees clockwise from true north to the y axis.
    public let bearingDegrees: Double
    private let sineOrigin: Double
    private let cosineOrigin: Double
    private let normalOrigin: Double
    private let sineBearing: Double
    private let cosineBearing: Double

    public init(originLatitude: Double, originLongitude: Double, bearingDegrees: Double) {
        origin = GeographicPoint(latitude: originLatitude, longitude: originLongitude)
        self.bearingDegrees = bearingDegrees
        sineOrigin = sin(radians(originLatitude))
        cosineOrigin = cos(radians(originLatitude))
        normalOrigin = normalRadius(sine: sineOrigin)
        sineBearing = sin(radians(bearingDegrees))
        cosineBearing = cos(radians(bearingDegrees))
    }

    /// Converts to metres in the frame.
    public func point(_ place: GeographicPoint) -> Point {
        let (east, north) = eastNorth(
            latitude: radians(place.latitude),
            longitudeDifference: radians(wrapped(place.longitude - origin.longitude)))
        return Point(
            x: east * cosineBearing - north * sineBearing,
            y: east * sineBearing + north * cosineBearing)
    }

    /// Converts to WGS84 degrees, with a longitude within -180 to 180. It uses Newton's method; for
    /// any point of a campus five steps end far below a micrometre.
    public func geographic(_ point: Point) -> GeographicPoint {
        let east = point.x * cosineBearing + point.y * sineBearing
        let north = -point.x * sineBearing + point.y * cosineBearing
        var latitude = radians(origin.latitude)
        var difference = 0.0
        for _ in 0..<5 {
            let (atEast, atNorth) = eastNorth(latitude: latitude, longitudeDifference: difference)
            let (sine, cosine) = (sin(latitude), cos(latitude))
            let (sineStep, cosineStep) = (sin(difference), cos(difference))
            let normal = normalRadius(sine: sine)
            let meridian = meridianRadius(sine: sine)
            let eastByLatitude = -meridian * sine * sineStep
            let eastByLongitude = normal * cosine * cosineStep
            let northByLatitude =
                meridian * (cosine * cosineOrigin + sine * sineOrigin * cosineStep)
            let northByLongitude = normal * sineOrigin * cosine * sineStep
            let determinant = eastByLatitude * northByLongitude - eastByLongitude * northByLatitude
            guard determinant != 0 else { break }
            let (missingEast, missingNorth) = (east - atEast, north - atNorth)
            latitude +=
                (missingEast * northByLongitude - missingNorth * eastByLongitude) / determinant
            difference +=
                (missingNorth * eastByLatitude - missingEast * northByLatitude) / determinant
        }
        return GeographicPoint(
            latitude: degrees(latitude),
            longitude: wrapped(origin.longitude + degrees(difference)))
    }

    /// Topocentric east and north of a point on the ellipsoid, in metres; angles in radians.
    private func eastNorth(
        latitude: Double, longitudeDifference: Double
    ) -> (east: Double, north: Double) {
        let (sine, cosine) = (sin(latitude), cos(latitude))
        let normal = normalRadius(sine: sine)
        let east = normal * cosine * sin(longitudeDifference)
        let turned = sine * cosineOrigin - cosine * sineOrigin * cos(longitudeDifference)
        let flattening =
            Self.eccentricitySquared * (normalOrigin * sineOrigin - normal * sine) * cosineOrigin
        return (east, normal * turned + flattening)
    }
}

private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

/// The same angle within -180 to 180.
private func wrapped(_ degrees: Double) -> Double { remainder(degrees, 360) }

/// Radius of curvature in the prime vertical, metres.
private func normalRadius(sine: Double) -> Double {
    LocalFrame.semiMajorAxis / (1 - LocalFrame.eccentricitySquared * sine * sine).squareRoot()
}

/// Radius of curvature in the meridian, metres.
private func meridianRadius(sine: Double) -> Double {
    let share = 1 - LocalFrame.eccentricitySquared * sine * sine
    return LocalFrame.semiMajorAxis * (1 - LocalFrame.eccentricitySquared)
        / (share * share.squareRoot())
}
