import Events
import Geometry
public import Site

/// Gives the outdoor ways of a site their slopes, from a grid of heights.
///
/// The height of a place is the mean of 19 heights of the grid in a disc around it. One is in its
/// middle, six are at half of its radius, and twelve at its edge. The radius is 4 m, or one and a
/// half cells if that is more.
///
/// The slope of a way is that of its steepest piece as long as the disc is wide, measured every
/// 2 m. So one wrong cell makes no steep piece, and a ramp shorter than the disc seems less steep
/// than it is. A shorter way is extended straight at both ends.
public struct SlopeImport {
    /// Metres between two places of a way that are measured. A long way has at most `mostPlaces`.
    static let stepMetres = 2.0
    static let mostPlaces = 4_000
    /// The most places of all ways: 8,000 km.
    static let mostPlacesOfAll = 4_000_000
    static let leastRadius = 4.0
    static let radiusOfCells = 1.5
    /// A slope is rounded to a tenth of a percent.
    static let slopesPerOne = 1_000.0

    private let grid: HeightGrid
    private let frame: LocalFrame
    private let radius: Double
    private let buildings: [Polygon]
    private let index: PolygonGrid
    /// The 19 places of the disc, as differences in degrees from its middle.
    private let disc: [GeographicPoint]

    public init(_ grid: HeightGrid, _ site: SiteDocument) {
        self.grid = grid
        frame = LocalFrame(
            originLatitude: site.originLatitude, originLongitude: site.originLongitude,
            bearingDegrees: site.bearingDegrees)
        let cell = grid.cellMetres(atLatitude: site.originLatitude)
        radius = max(Self.leastRadius, Self.radiusOfCells * cell)
        buildings = site.buildings.compactMap(\.outline.polygon)
        index = PolygonGrid(buildings)
        // A few metres are the same differences all over a site.
        let (frame, radius) = (frame, radius)
        disc = Self.unitDisc.map { x, y in
            let place = frame.geographic(Point(x: x * radius, y: y * radius))
            return GeographicPoint(
                latitude: place.latitude - frame.origin.latitude,
                longitude: place.longitude - frame.origin.longitude)
        }
    }

    /// The site with the slopes of its outdoor walks and ramps.
    ///
    /// Left out are ways on a bridge, in a tunnel or under a roof. So are ways that touch a
    /// building's outline, and slopes without a rise: somebody has stated these.
    public func site(_ former: SiteDocument) throws(ImportRefusal) -> ImportedSite {
        var site = former
        var report = ImportReport()
        var steepest: (id: ConnectionID, slope: Double)?
        var places = 0
        for place in site.connections.indices {
            let way = site.connections[place]
            guard way.isOnOpenGround else { continue }
            let line = line(of: way)
            places += min(Self.mostPlaces, 1 + Int(line.lengthMetres / Self.stepMetres))
            guard places <= Self.mostPlacesOfAll else {
                throw ImportRefusal(.tooLarge, "the site's outdoor ways are too long together")
            }
            if way.slope != nil, way.riseMetres == nil {
                report.count("slopes stated by people")
                continue
            }
            guard !way.isOffGround, !touchesBuilding(line) else {
                report.count("ways under roofs, on bridges or in tunnels")
                // A slope of an earlier grid is not its own.
                (site.connections[place].slope, site.connections[place].riseMetres) = (nil, nil)
                continue
            }
            guard let measured = measure(line) else {
                report.count("ways outside the grid")
                continue
            }
            report.count("slopes")
            site.connections[place].slope = measured.slope
            site.connections[place].riseMetres = measured.rise
            if abs(measured.slope) > abs(steepest?.slope ?? 0) {
                steepest = (way.id, measured.slope)
            }
        }
        if let steepest {
            let tenths = Int((abs(steepest.slope) * 1_000).rounded())
            report.note(
                steepest.id.text, .steepestWay,
                "the steepest way has \(tenths / 10).\(tenths % 10) %")
        }
        guard report.counts["slopes"] != nil else {
            throw ImportRefusal(
                .nothingToImport,
                "no outdoor way gets a slope: is the grid at the site's place, and in WGS84?")
        }
        return try ImportedSite(document: site, report: report).checked(after: former)
    }

    private func touchesBuilding(_ line: [Point]) -> Bool {
        for point in places(along: line) {
            var isInside = false
            index.forEachPolygon(containing: point) { polygon in
                // The end of a path at a wall is not under the roof.
                isInside =
                    isInside
                    || buildings[polygon].contains(point)
                        && buildings[polygon].distanceToEdge(from: point) > 0.5
            }
            if isInside { return true }
        }
        return false
    }

    private func line(of way: ConnectionRecord) -> [Point] {
        way.stops.count == 2
            ? [way.stops[0].point] + way.line + [way.stops[1].point] : way.stops.map(\.point)
    }

    /// The steepest piece and the rise of a way; nil if a part of it is outside the grid, or has no
    /// length.
    private func measure(_ line: [Point]) -> (slope: Double, rise: Double)? {
        guard let first = line.first, let last = line.last else { return nil }
        let metres = line.lengthMetres
        guard metres > 0.01, let start = height(first), let end = height(last) else { return nil }
        let rise = ((end - start) * 100).rounded() / 100
        let piece = 2 * radius
        let long = extended(line, by: max(0, piece - metres) / 2)
        let whole = max(metres, piece)
        let count = min(Self.mostPlaces, Int((whole / Self.stepMetres).rounded(.up)))
        let step = whole / Double(count)
        var heights: [Double] = []
        for point in places(along: long, every: step, count: count) {
            guard let height = height(point) else { return nil }
            heights.append(height)
        }
        let steps = max(1, min(count, Int((piece / step).rounded())))
        var slope = 0.0
        for place in 0...(count - steps) {
            let here = (heights[place + steps] - heights[place]) / (Double(steps) * step)
            if abs(here) > abs(slope) { slope = here }
        }
        slope = (slope * Self.slopesPerOne).rounded() / Self.slopesPerOne
        return SiteLimits.slope.contains(slope) && SiteLimits.riseMetres.contains(rise)
            ? (slope, rise) : nil
    }

    /// The smoothed height; nil beside the grid.
    private func height(_ point: Point) -> Double? {
        var sum = 0.0
        let middle = frame.geographic(point)
        for place in disc {
            let beside = GeographicPoint(
                latitude: middle.latitude + place.latitude,
                longitude: middle.longitude + place.longitude)
            guard let height = grid.height(at: beside) else { return nil }
            sum += height
        }
        return sum / Double(disc.count)
    }

    /// The places in a disc of radius 1.
    private static let unitDisc: [(Double, Double)] =
        [(0, 0)] + ring(6, 0.5) + ring(12, 1)

    private static func ring(_ count: Int, _ radius: Double) -> [(Double, Double)] {
        (0..<count).map { number in
            let degrees = Double(number) * 360 / Double(count)
            return (radius * cosine(degrees), radius * cosine(degrees - 90))
        }
    }

    /// The line with straight ends of this length more.
    private func extended(_ line: [Point], by metres: Double) -> [Point] {
        guard metres > 0 else { return line }
        func beyond(_ end: Point, from points: some Sequence<Point>) -> Point? {
            guard let before = points.first(where: { $0.distance(to: end) > 0.001 }) else {
                return nil
            }
            let share = metres / before.distance(to: end)
            return Point(
                x: end.x + share * (end.x - before.x), y: end.y + share * (end.y - before.y))
        }
        let start = beyond(line[0], from: line)
        let end = beyond(line[line.count - 1], from: line.reversed())
        return [start].compactMap { $0 } + line + [end].compactMap { $0 }
    }

    private func places(along line: [Point]) -> [Point] {
        let whole = line.lengthMetres
        let count = max(1, min(Self.mostPlaces, Int((whole / Self.stepMetres).rounded(.up))))
        return places(along: line, every: whole / Double(count), count: count)
    }

    /// Places at equal distances, the first and the last point among them.
    private func places(along line: [Point], every metres: Double, count: Int) -> [Point] {
        var places: [Point] = []
        var segment = 0
        var before = 0.0
        for number in 0...count {
            let wanted = Double(number) * metres
            while segment < line.count - 2,
                before + line[segment].distance(to: line[segment + 1]) < wanted
            {
                before += line[segment].distance(to: line[segment + 1])
                segment += 1
            }
            let (start, end) = (line[segment], line[segment + 1])
            let length = start.distance(to: end)
            let share = length > 0 ? min(1, (wanted - before) / length) : 0
            places.append(
                Point(
                    x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y)))
        }
        return places
    }
}

extension ImportNote.What {
    static let steepestWay = Self(rawValue: "steepest-way")
}
