import Events
import Geometry
import Site

/// The rooms of a drawing: areas with the texts within them, in the site's metres.
struct DrawingRooms {
    struct Room {
        var polygon: Polygon
        var name: String
        var kind: String
    }

    /// Smaller areas are ducts and columns, and thinner ones walls.
    private static let leastSquareMetres = 0.5
    private static let leastThicknessMetres = 0.45
    private static let mostRooms = 20_000
    /// A sign has no more lines.
    private static let mostTexts = 4

    private(set) var rooms: [Room] = []
    private(set) var report = ImportReport()

    init(_ file: DrawingFile, _ options: DrawingOptions, metresPerUnit: Double)
        throws(ImportRefusal)
    {
        let turned = DrawingTransform.turned(options.turnDegrees)
            .after(.scaled(metresPerUnit, metresPerUnit))
        let offset = Self.offset(of: file, turned, options)
        let place = DrawingTransform.moved(offset.x, offset.y).after(turned)
        var closed: [[Point]] = []
        var loose: [(Point, Point)] = []
        var texts: [(text: String, point: Point)] = []
        for shape in file.shapes where Self.isWanted(shape.layer, file, options) {
            switch shape.content {
            case .text(let text, let point): texts.append((text, place(point)))
            case .line(let points, isClosed: true): closed.append(points.map { place($0) })
            case .line(let points, isClosed: false):
                let line = points.map { place($0) }
                loose += zip(line, line.dropFirst())
            }
        }
        let corners = (closed.joined() + loose.flatMap { [$0.0, $0.1] })
        if let far = corners.first(where: { !($0.isFinite && $0.isInSite) }) {
            throw ImportRefusal(
                .malformed,
                "the drawing lies over 100 km from the site's origin, "
                    + "near \(far.roundedToMillimetres): "
                    + "check its unit, or move it by an offset")
        }
        try addAreas(closed, loose)
        name(texts)
        noteSize(corners)
    }

    /// The offset that was chosen, or the one that brings the drawing's middle to its place.
    private static func offset(
        of file: DrawingFile, _ turned: DrawingTransform, _ options: DrawingOptions
    ) -> Point {
        guard let middle = options.middle else { return options.offset }
        var (low, high) = (
            Point(x: .infinity, y: .infinity), Point(x: -Double.infinity, y: -.infinity)
        )
        for shape in file.shapes where isWanted(shape.layer, file, options) {
            guard case .line(let points, _) = shape.content else { continue }
            for point in points.map({ turned($0) }) {
                low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
                high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
            }
        }
        guard low.x <= high.x else { return options.offset }
        return Point(x: middle.x - (low.x + high.x) / 2, y: middle.y - (low.y + high.y) / 2)
    }

    private static func isWanted(
        _ layer: String, _ file: DrawingFile, _ options: DrawingOptions
    ) -> Bool {
        options.layers?.contains(layer) ?? !file.hiddenLayers.contains(layer)
    }

    private mutating func addAreas(
        _ closed: [[Point]], _ loose: [(Point, Point)]
    ) throws(ImportRefusal) {
        var areas = closed
        if !loose.isEmpty {
            let edges = closed.flatMap { ring in
                zip(ring, ring.dropFirst() + ring.prefix(1)).map { ($0, $1) }
            }
            areas = try FaceTracing(edges + loose).faces
        }
        var seen: Set<[Point]> = []
        for area in areas {
            let ring = Self.tidied(area)
            guard let polygon = Polygon(ring), polygon.area >= Self.leastSquareMetres,
                2 * polygon.area / polygon.lengthMetres >= Self.leastThicknessMetres
            else { continue }
            guard ring.count <= SiteLimits.cornersPerRoom, polygon.isSimple else {
                report.note(
                    "\(polygon.centroid.roundedToMillimetres)", .outlineCrossesItself,
                    "an outline crosses itself or has over \(SiteLimits.cornersPerRoom) corners")
                continue
            }
            // Some drawings have each line twice.
            guard seen.insert(ring.sorted { ($0.x, $0.y) < ($1.x, $1.y) }).inserted else {
                continue
            }
            rooms.append(Room(polygon: polygon, name: "", kind: "room"))
            guard rooms.count <= Self.mostRooms else {
                throw ImportRefusal(
                    .tooLarge,
                    "the chosen layers have over \(Self.mostRooms) outlines: choose fewer layers")
            }
        }
        // From west to east, so that the same drawing always gives the same order.
        rooms.sort { left, right in
            let (one, other) = (left.polygon.centroid, right.polygon.centroid)
            return (one.x, one.y, left.polygon.area) < (other.x, other.y, right.polygon.area)
        }
    }

    /// Rounded, without corners on a straight line.
    private static func tidied(_ ring: [Point]) -> [Point] {
        var corners: [Point] = []
        for corner in ring.map(\.roundedToMillimetres) where corners.last != corner {
            corners.append(corner)
        }
        while corners.count > 1, corners.first == corners.last { corners.removeLast() }
        guard corners.count > 3 else { return corners }
        var kept: [Point] = []
        for (index, corner) in corners.enumerated() {
            let before = kept.last ?? corners[corners.count - 1]
            let next = corners[(index + 1) % corners.count]
            let length = before.distance(to: next)
            let across =
                (next.x - before.x) * (corner.y - before.y)
                - (next.y - before.y) * (corner.x - before.x)
            if length > 0, abs(across) / length < 0.005 { continue }
            kept.append(corner)
        }
        return kept.count >= 3 ? kept : corners
    }

    // MARK: Names

    /// Gives each text to the smallest room around it.
    private mutating func name(_ texts: [(text: String, point: Point)]) {
        let grid = PolygonGrid(rooms.map(\.polygon))
        let areas = rooms.map(\.polygon.area)
        var found: [Int: [(text: String, point: Point)]] = [:]
        var outside = 0
        for text in texts {
            var room: Int?
            grid.forEachPolygon(containing: text.point) { index in
                if let best = room, (areas[best], best) <= (areas[index], index) { return }
                room = index
            }
            if let room { found[room, default: []].append(text) } else { outside += 1 }
        }
        for (room, texts) in found {
            // As they are read: from top to bottom, then from left to right.
            let lines = texts.filter { !Self.isMeasure($0.text) }.sorted { left, right in
                (-left.point.y, left.point.x, left.text) < (
                    -right.point.y, right.point.x, right.text
                )
            }.map(\.text)
            let name = lines.prefix(Self.mostTexts).joined(separator: " ")
            guard name.utf8.count <= SiteLimits.textBytes, !hasControlCharacter(name) else {
                continue
            }
            rooms[room].name = name
            rooms[room].kind = RoomWords.kind(name) ?? "room"
        }
        if outside > 0 { report.count("textsOutside", outside) }
    }

    /// Whether a text is only an area or a height, such as `23.4 m²`.
    private static func isMeasure(_ text: String) -> Bool {
        let word = text.lowercased().filter { $0 != " " }
        let units = ["m²", "m2", "qm", "sqm", "sqft", "sf", "ft²", "m", "mm", "cm"]
        guard let unit = units.first(where: word.hasSuffix) else { return false }
        let number = word.dropLast(unit.count).drop { "+-±~≈ca.".contains($0) }
        return !number.isEmpty && number.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
    }

    /// Buildings are neither of one metre nor of five kilometres.
    private mutating func noteSize(_ corners: some Sequence<Point>) {
        let x = corners.map(\.x)
        guard let west = x.min(), let east = x.max() else { return }
        let width = east - west
        if width < 2 || width > 3_000 {
            report.note(
                "drawing", .sizeUnlikely,
                "it is \(WellKnownText.number((width * 10).rounded() / 10)) m wide: check its unit")
        }
    }
}

extension ImportNote.What {
    static let sizeUnlikely = Self(rawValue: "size-unlikely")
    static let partLeftOut = Self(rawValue: "part-left-out")
}

extension Polygon {
    fileprivate var lengthMetres: Double {
        zip(corners, corners.dropFirst() + corners.prefix(1)).reduce(0) {
            $0 + $1.0.distance(to: $1.1)
        }
    }
}
