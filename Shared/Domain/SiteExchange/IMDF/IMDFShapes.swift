import Events
import Geometry

/// Converts geometries of GeoJSON (RFC 7946) to a site's metres, and back.
///
/// Metres are rounded to a tenth of a millimetre. That is far finer than any survey, short to
/// write, and keeps common corners of two rooms equal.
struct IMDFShapes {
    /// Outer ring and holes, in metres, without repeated last corners.
    struct Area {
        var outline: Ring
        var holes: [Ring]
    }

    let frame: LocalFrame

    /// The point of a position; nil if it is malformed or far off the Earth.
    func point(_ position: PropertyValue) -> Point? {
        let numbers = position.list
        guard numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number, abs(longitude) <= 180, abs(latitude) <= 90
        else { return nil }
        let place = GeographicPoint(latitude: latitude, longitude: longitude)
        let point = frame.point(place)
        return Point(x: rounded(point.x), y: rounded(point.y))
    }

    /// The point of a geometry of type Point; nil for other geometries.
    func place(_ geometry: PropertyValue) -> Point? {
        geometry["type"].text == "Point" ? point(geometry["coordinates"]) : nil
    }

    /// The points of a LineString; nil if one is malformed or there are fewer than two.
    func line(_ geometry: PropertyValue) -> [Point]? {
        guard geometry["type"].text == "LineString" else { return nil }
        let positions = geometry["coordinates"].list
        let points = positions.compactMap(point)
        return points.count == positions.count && points.count >= 2 ? points : nil
    }

    /// The areas of a Polygon or MultiPolygon, largest first; nil if a position is malformed.
    func areas(_ geometry: PropertyValue) -> [Area]? {
        let polygons: [PropertyValue]
        switch geometry["type"].text {
        case "Polygon": polygons = [geometry["coordinates"]]
        case "MultiPolygon": polygons = geometry["coordinates"].list
        default: return nil
        }
        var areas: [Area] = []
        for polygon in polygons {
            let rings = polygon.list.map(ring)
            let whole = rings.compactMap { $0 }
            guard whole.count == rings.count, let outline = whole.first else { return nil }
            areas.append(Area(outline: outline, holes: Array(whole.dropFirst())))
        }
        return areas.enumerated().sorted {
            let (left, right) = (size($0.element.outline), size($1.element.outline))
            return left == right ? $0.offset < $1.offset : left > right
        }.map(\.element)
    }

    private func ring(_ value: PropertyValue) -> Ring? {
        let points = value.list.compactMap(point)
        guard points.count == value.list.count else { return nil }
        var corners: [Point] = []
        for corner in points where corner != corners.last { corners.append(corner) }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return Ring(corners)
    }

    private func size(_ outline: Ring) -> Double { outline.polygon?.area ?? 0 }

    // MARK: Back to degrees

    func position(_ point: Point) -> PropertyValue {
        let place = frame.geographic(point)
        return .list([PropertyValue(place.longitude), PropertyValue(place.latitude)])
    }

    func geometry(_ point: Point) -> PropertyValue {
        ["type": "Point", "coordinates": position(point)]
    }

    func geometry(line points: [Point]) -> PropertyValue {
        ["type": "LineString", "coordinates": .list(points.map(position))]
    }

    /// A Polygon with the outline anticlockwise and the holes clockwise, as RFC 7946 requires; null
    /// for an outline without corners.
    func geometry(outline: Ring, holes: [Ring] = []) -> PropertyValue {
        guard !outline.isEmpty else { return .null }
        let rings =
            [ring(outline, isAnticlockwise: true)] + holes.map { ring($0, isAnticlockwise: false) }
        return ["type": "Polygon", "coordinates": .list(rings)]
    }

    private func ring(_ ring: Ring, isAnticlockwise: Bool) -> PropertyValue {
        var points = ring.corners
        if let area = Polygon(points)?.signedArea, (area > 0) != isAnticlockwise {
            // Reversing the ring keeps its first corner in the first place.
            points = [points[0]] + points.dropFirst().reversed()
        }
        points.append(points[0])
        return .list(points.map(position))
    }
}

private func rounded(_ metres: Double) -> Double { (metres * 10_000).rounded() / 10_000 }
