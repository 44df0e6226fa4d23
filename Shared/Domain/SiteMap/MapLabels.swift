import Geometry
import VectorGraphics

/// Places names within their areas, as large as possible and without overlaps.
struct MapLabels {
    private struct Label {
        var lines: [String]
        var place: PageBox
        var size: Double
        var attributes: String
    }

    private static let sizes = [17.0, 14, 12, 10.5, 9]
    private static let lineHeight = 1.15
    private static let captionSize = 11.0
    /// The least distance in pixels between two equal signs; a nearer one adds nothing.
    private static let signDistance = 34.0

    private let picture: MapPicture
    private var taken: [PageBox] = []
    private var labels: [Label] = []
    private var captions: [Label] = []
    /// The areas of stairs. Numbers are not placed there, since treads make them unreadable.
    private var flights: [PageBox] = []
    private var signs: [(sign: Pictogram, place: (x: Double, y: Double))] = []

    init(_ picture: MapPicture) { self.picture = picture }

    mutating func occupy(_ middle: (x: Double, y: Double), width: Double, height: Double) {
        taken.append(PageBox(x: middle.x, y: middle.y, width: width, height: height))
    }

    /// Keeps captions off a line of this width, if there is room beside it.
    mutating func avoid(_ line: [(x: Double, y: Double)], width: Double) {
        for (start, end) in zip(line, line.dropFirst()) {
            flights.append(
                PageBox(
                    x: (start.x + end.x) / 2, y: (start.y + end.y) / 2,
                    width: distance(start, end), height: width,
                    degrees: atan2Degrees(end.y - start.y, end.x - start.x)))
        }
    }

    /// Draws the sign, unless something else is at the place or the same sign is near. Returns
    /// whether it was drawn.
    ///
    /// Lifts are never left out: two neighbours may serve different floors.
    mutating func drawSign(
        _ sign: Pictogram, at place: (x: Double, y: Double), size: Double, in drawing: inout Drawing
    ) -> Bool {
        let isRepeated = signs.contains {
            $0.sign == sign && distance($0.place, place) < Self.signDistance
        }
        let isLift = sign == .lift || sign == .platformLift
        guard isLift || !isRepeated && !isOccupied(place, width: size, height: size) else {
            return false
        }
        sign.draw(x: place.x, y: place.y, size: size, in: &drawing)
        occupy(place, width: size, height: size)
        signs.append((sign, place))
        return true
    }

    private func isOccupied(_ middle: (x: Double, y: Double), width: Double, height: Double) -> Bool
    {
        isTaken(PageBox(x: middle.x, y: middle.y, width: width, height: height))
    }

    /// Adds a lift's name and levels below its sign, or on another side if stairs are below it.
    mutating func addCaption(
        _ name: String, levels: [String], beside place: (x: Double, y: Double), size: Double
    ) {
        let stops = levels.count > 1 ? levels.joined(separator: " · ") : ""
        let lines = [name, stops].filter { !$0.isEmpty && $0.count <= 28 }
        guard !lines.isEmpty else { return }
        let width = lines.map { textWidth($0, size: Self.captionSize) }.max() ?? 0
        let height = Double(lines.count) * Self.captionSize * Self.lineHeight
        let (across, down) = (size / 2 + width / 2 + 3, size / 2 + height / 2 + 1)
        let spots = [(0, down), (across, 0), (-across, 0), (0, -down)].map { right, below in
            PageBox(x: place.x + right, y: place.y + below, width: width, height: height)
        }.filter { !isTaken($0) && isOnMap($0) }
        let free = spots.first { spot in !flights.contains { $0.overlaps(spot) } }
        guard let spot = free ?? spots.first else { return }
        taken.append(spot)
        captions.append(
            Label(
                lines: lines, place: spot, size: Self.captionSize,
                attributes: "fill=\"#1f3f66\" font-weight=\"600\" \(Self.halo)"))
    }

    mutating func draw(in drawing: inout Drawing) {
        let features = picture.map.features
        let areas = features.filter { $0.layer == .area }
        for (index, feature) in areas.enumerated() {
            placeArea(feature, within: areas[(index + 1)...], in: &drawing)
        }
        if !picture.hidesSurroundings {
            for feature in features where feature.layer == .building { placeBuilding(feature) }
        }
        for feature in features where feature.layer == .zone { placeZone(feature) }
        var named: Set<String> = []
        for feature in features where feature.layer == .path {
            guard let name = picture.name(of: feature), !named.contains(name) else { continue }
            if placeAlong(feature, name) { named.insert(name) }
        }
        for feature in features where feature.layer == .place {
            placePoint(feature, in: &drawing)
        }
        for label in labels + captions { draw(label, in: &drawing) }
    }

    // MARK: Places

    /// - Parameter inner: areas that are painted over this one if they overlap.
    private mutating func placeArea(
        _ feature: MapFeature, within inner: ArraySlice<MapFeature>, in drawing: inout Drawing
    ) {
        guard case .area(let area) = feature.shape, let pole = feature.labelPoint else { return }
        let kind = feature.areaKind
        guard kind != .solid, kind != .void else { return }
        let depth = area.depth(of: pole) * picture.scale.pixelsPerMetre
        let middle = picture.scale.place(pole)
        var down = 0.0
        if let sign = kind.pictogram, depth > 7 {
            let size = min(20, depth * 1.6)
            _ = drawSign(sign, at: middle, size: size, in: &drawing)
            down = size / 2 + 1
            // The sign alone is enough, except for food, where the name matters.
            if kind != .food { return }
        }
        guard let name = picture.name(of: feature), !name.isEmpty, name != feature.id else {
            return
        }
        let overlapping = inner.compactMap { other -> AreaShape? in
            guard case .area(let shape) = other.shape,
                shape.outline.boundingBox.intersects(area.outline.boundingBox)
            else { return nil }
            return shape
        }
        let isQuiet = kind == .corridor || kind == .closed
        let sizes = isQuiet ? Array(Self.sizes.dropFirst(2)) : Self.sizes
        let attributes =
            isQuiet ? "fill=\"\(MapPalette.quietLabel)\"" : "fill=\"\(MapPalette.label)\""
        let edge = area.longestEdgeDegrees
        let grounds = [0, edge, upright(edge + 90)].map {
            TurnedGround(about: middle, degrees: $0, within: area, avoiding: overlapping, picture)
        }
        // A readable number is more useful than a full name in tiny letters.
        for sizes in [sizes.filter { $0 > 10 }, sizes.filter { $0 <= 10 }] {
            for text in Self.wordings(of: name) {
                for ground in grounds
                where place(text, on: ground, down: down, sizes: sizes, attributes) { return }
            }
        }
    }

    /// The name, then its number alone: `6.01` is enough in a small room.
    private static func wordings(of name: String) -> [String] {
        let number = name.split(separator: " ").last { $0.contains(where: \.isNumber) }
        guard let number, number.count < name.count else { return [name] }
        return [name, String(number)]
    }

    /// Places the label if there is room. Returns whether there was.
    private mutating func place(
        _ text: String, on ground: TurnedGround, down: Double = 0, sizes: [Double],
        _ attributes: String
    ) -> Bool {
        let layouts = (1...3).compactMap { brokenIntoLines(text, count: $0) }
        for size in sizes {
            for lines in layouts {
                let width = (lines.map { textWidth($0, size: size) }.max() ?? 0) + 3
                let height = Double(lines.count) * size * Self.lineHeight
                let drop = down == 0 ? 0 : down + height / 2
                for below in [0, -height * 0.7, height * 0.7] {
                    guard
                        let spot = ground.box(below: drop + below, width: width, height: height),
                        !isTaken(spot), isOnMap(spot)
                    else { continue }
                    taken.append(spot)
                    labels.append(
                        Label(
                            lines: lines, place: spot, size: size, attributes: attributes))
                    return true
                }
            }
        }
        return false
    }

    /// Places the name within the building if there is room, or else in small letters across its
    /// edge.
    private mutating func placeBuilding(_ feature: MapFeature) {
        guard case .area(let whole) = feature.shape, let name = picture.name(of: feature),
            name != feature.id, let area = whole.clipped(to: picture.shown)
        else { return }
        let middle = picture.scale.place(area.pole(precisionMetres: 0.5))
        let attributes = "fill=\"#57524a\" font-weight=\"600\""
        let within = TurnedGround(
            about: middle, degrees: 0, within: area, avoiding: [], picture)
        if place(name, on: within, sizes: Self.sizes, attributes) { return }
        let anywhere = TurnedGround(about: middle, degrees: 0, within: nil, avoiding: [], picture)
        _ = place(name, on: anywhere, sizes: [9.5], "\(attributes) \(Self.halo)")
    }

    private mutating func placeZone(_ feature: MapFeature) {
        guard case .area(let area) = feature.shape, let pole = feature.labelPoint,
            let name = picture.name(of: feature)
        else { return }
        let ground = TurnedGround(
            about: picture.scale.place(pole), degrees: 0, within: area, avoiding: [], picture)
        _ = place(
            name, on: ground, sizes: Array(Self.sizes.dropFirst(2)),
            "fill=\"#7a4fa3\" font-style=\"italic\"")
    }

    /// Places the name along the longest stretch of a street, if the stretch is long enough.
    /// Returns whether it was.
    private mutating func placeAlong(_ feature: MapFeature, _ name: String) -> Bool {
        guard case .line(let points) = feature.shape else { return false }
        let size = 11.0
        let width = textWidth(name, size: size)
        let scale = picture.scale
        let page: LevelBox = (
            scale.left + scale.width / 2, scale.top + scale.height / 2, scale.width, scale.height
        )
        let visible = zip(points, points.dropFirst()).compactMap {
            cut(scale.place($0), scale.place($1), to: page)
        }
        guard
            let longest = visible.max(by: {
                distance($0.start, $0.end) < distance($1.start, $1.end)
            }),
            distance(longest.start, longest.end) > width
        else { return false }
        let (left, right) =
            longest.start.x <= longest.end.x ? longest : (longest.end, longest.start)
        let middle = (x: (left.x + right.x) / 2, y: (left.y + right.y) / 2)
        let slant = atan2Degrees(right.y - left.y, right.x - left.x)
        let place = PageBox(
            x: middle.x, y: middle.y, width: width, height: size * Self.lineHeight, degrees: slant)
        guard !isTaken(place) else { return false }
        taken.append(place)
        labels.append(
            Label(
                lines: [name], place: place, size: size,
                attributes: "fill=\"\(MapPalette.quietLabel)\" \(Self.halo)"))
        return true
    }

    private mutating func placePoint(_ feature: MapFeature, in drawing: inout Drawing) {
        guard case .point(let point) = feature.shape, let name = picture.name(of: feature) else {
            return
        }
        let spot = picture.scale.place(point)
        drawing.circle(
            spot.x, spot.y, radius: 3, "fill=\"#7a4fa3\" stroke=\"#ffffff\" stroke-width=\"1\"")
        let width = textWidth(name, size: 10)
        let place = PageBox(x: spot.x, y: spot.y + 11, width: width, height: 12)
        guard !isTaken(place) else { return }
        taken.append(place)
        labels.append(
            Label(
                lines: [name], place: place, size: 10,
                attributes: "fill=\"#5b3b7d\" \(Self.halo)"))
    }

    private func isTaken(_ place: PageBox) -> Bool { taken.contains { $0.overlaps(place) } }

    private func isOnMap(_ place: PageBox) -> Bool { place.corners.allSatisfy(isOnMap) }

    private func isOnMap(_ place: (x: Double, y: Double)) -> Bool {
        let scale = picture.scale
        return place.x > scale.left && place.x < scale.left + scale.width && place.y > scale.top
            && place.y < scale.top + scale.height
    }

    // MARK: Text

    /// A white outline keeps letters readable over lines.
    private static let halo =
        "stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\""

    private func draw(_ label: Label, in drawing: inout Drawing) {
        let line = label.size * Self.lineHeight
        let top = label.place.y - line * Double(label.lines.count) / 2
        if label.place.degrees != 0 {
            drawing.open(
                "g",
                "transform=\"rotate(\(short(label.place.degrees)) \(short(label.place.x)) "
                    + "\(short(label.place.y)))\"")
        }
        for (number, text) in label.lines.enumerated() {
            drawing.text(
                text, label.place.x, top + line * (Double(number) + 0.78), .middle,
                size: label.size, label.attributes)
        }
        if label.place.degrees != 0 { drawing.close("g") }
    }
}
