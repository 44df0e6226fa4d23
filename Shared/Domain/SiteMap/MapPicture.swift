import Events
import Geometry
import Site
import VectorGraphics

extension SiteMap {
    /// The map as a self-contained SVG file: title, map, scale, north arrow, and a key of the signs
    /// on it. The page of a floor without records is empty.
    public func svg(_ page: MapPage = MapPage()) -> String {
        let nowhere = CollectionOfOne(Point(x: 0, y: 0))
        guard var shown = page.part ?? bounds() ?? BoundingBox(nowhere) else {
            preconditionFailure("a point has a box")
        }
        if page.part == nil { for point in page.route { shown.include(point) } }
        return MapPicture(self, page, shown).svg()
    }

    /// A part of the map in a rectangle of a larger drawing, in its pixels.
    func chart(
        _ page: MapPage, _ part: BoundingBox, left: Double, top: Double, width: Double,
        height: Double
    ) -> Drawing {
        let scale = MapScale(part, width: width, left: left, top: top, mostHeight: height)
        return MapPicture(self, page, scale: scale).chart()
    }
}

/// The drawing of one map on one page.
struct MapPicture {
    static let margin = 28.0
    private static let titleHeight = 62.0

    let map: SiteMap
    let page: MapPage
    let scale: MapScale
    let words: MapTexts
    /// Whether streets and other buildings are drawn faintly, since the floor is not at ground
    /// level.
    let hidesSurroundings: Bool
    /// The part of the frame that is on the map, in metres.
    let shown: BoundingBox

    init(_ map: SiteMap, _ page: MapPage, _ bounds: BoundingBox) {
        let scale = MapScale(
            bounds, width: page.width - 2 * Self.margin, left: Self.margin,
            top: Self.margin + Self.titleHeight,
            mostHeight: page.width * MapPage.mostHeightToWidth)
        self.init(map, page, scale: scale)
    }

    /// A map in a rectangle of a larger drawing.
    init(_ map: SiteMap, _ page: MapPage, scale: MapScale) {
        self.map = map
        self.page = page
        words = MapTexts.words(in: page.language)
        hidesSurroundings = map.floor.map { $0.ordinal != 0 } ?? false
        self.scale = scale
        shown = scale.shown
    }

    /// The map without title, scale and key.
    func chart() -> Drawing {
        var drawing = Drawing()
        var labels = MapLabels(self)
        let chart = drawMap(&labels)
        define(in: &drawing)
        drawing.append(chart)
        drawFrame(in: &drawing)
        return drawing
    }

    private func drawFrame(in drawing: inout Drawing) {
        drawing.rectangle(
            scale.left, scale.top, scale.width, scale.height,
            "fill=\"none\" stroke=\"#b9b4aa\" stroke-width=\"1\"")
    }

    func svg() -> String {
        var drawing = Drawing()
        var labels = MapLabels(self)
        let chart = drawMap(&labels)
        let legend = MapLegend(self, signs: chart.marks)
        let bottom = scale.top + scale.height
        let width = page.width
        let height = bottom + MapFurniture.height + legend.height + Self.margin
        define(in: &drawing)
        drawing.rectangle(0, 0, width, height, "fill=\"#ffffff\"")
        drawTitle(in: &drawing)
        drawing.append(chart)
        drawFrame(in: &drawing)
        let furniture = MapFurniture(picture: self)
        furniture.draw(top: bottom, in: &drawing)
        legend.draw(top: bottom + MapFurniture.height, in: &drawing)
        return drawing.finish(width: width, height: height)
    }

    /// The map itself, without title and key.
    private func drawMap(_ labels: inout MapLabels) -> Drawing {
        var drawing = Drawing()
        drawing.open("g", "clip-path=\"url(#map)\"")
        drawing.rectangle(
            scale.left, scale.top, scale.width, scale.height, "fill=\"\(MapPalette.ground)\"")
        GroundPainter(picture: self).draw(in: &drawing)
        AreaPainter(picture: self).draw(in: &drawing)
        WayPainter(picture: self).draw(in: &drawing)
        DoorPainter(picture: self).draw(in: &drawing, &labels)
        drawRoute(in: &drawing)
        labels.draw(in: &drawing)
        drawing.close("g")
        return drawing
    }

    /// The feature's name in the reader's language.
    func name(of feature: MapFeature) -> String? {
        feature.names.text(in: page.language) ?? feature.name
    }

    /// The polygon's corners on the page, in pixels.
    func ring(_ polygon: Polygon) -> [(x: Double, y: Double)] { polygon.corners.map(scale.place) }

    private func define(in drawing: inout Drawing) {
        drawing.open("defs")
        drawing.open("clipPath", "id=\"map\"")
        drawing.rectangle(scale.left, scale.top, scale.width, scale.height, "")
        drawing.close("clipPath")
        for pattern in MapPattern.allCases { drawing.define(pattern.definition) }
        drawing.close("defs")
    }

    private func drawTitle(in drawing: inout Drawing) {
        let title = map.names.text(in: page.language) ?? map.name
        let baseline = Self.margin + 34
        let floor = shortened(floorName, to: page.width * 0.4, size: 26)
        let room = page.width - 3 * Self.margin - textWidth(floor, size: 26)
        let size = min(30, max(18, 30 * room / max(textWidth(title, size: 31), 1)))
        drawing.text(
            shortened(title, to: room, size: size), Self.margin, baseline, size: size,
            "font-weight=\"700\"")
        drawing.text(
            floor, page.width - Self.margin, baseline, .end, size: 26, "fill=\"#555\"")
    }

    private var floorName: String {
        guard let floor = map.floor else { return words.outdoors }
        if let name = floor.names.text(in: page.language) ?? floor.names.text(in: "en") {
            return name
        }
        // A level that is a word, such as "Ground", needs no word before it.
        return floor.level.count <= 3 ? "\(words.level) \(floor.level)" : floor.level
    }

    func shortened(_ text: String, to width: Double, size: Double) -> String {
        guard textWidth(text, size: size) > width else { return text }
        var shorter = text
        while !shorter.isEmpty, textWidth(shorter + "…", size: size) > width {
            shorter.removeLast()
        }
        return shorter + "…"
    }

    private func drawRoute(in drawing: inout Drawing) {
        guard let first = page.route.first, let last = page.route.last else {
            return
        }
        let points = page.route.map(scale.place)
        guard points.count > 1 else {
            // The name of the place can be read through the mark.
            drawing.circle(
                points[0].x, points[0].y, radius: 20,
                "fill=\"\(MapPalette.route)\" fill-opacity=\"0.2\" "
                    + "stroke=\"\(MapPalette.route)\" stroke-width=\"4\"")
            return
        }
        for (colour, width) in [("#ffffff", 9.0), (MapPalette.route, 5.5)] {
            drawing.points(
                "polyline", points,
                "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(short(width))\" "
                    + "stroke-linecap=\"round\" stroke-linejoin=\"round\"")
        }
        for (point, colour) in [(first, "#ffffff"), (last, MapPalette.route)] {
            let place = scale.place(point)
            drawing.circle(
                place.x, place.y, radius: 7,
                "fill=\"\(colour)\" stroke=\"\(MapPalette.route)\" stroke-width=\"4\"")
        }
    }
}

/// The colours of a map, without those of areas.
enum MapPalette {
    static let ground = "#f1efe9"
    static let campus = "#e7eede"
    static let building = "#ddd8cd"
    static let buildingEdge = "#a29c8f"
    static let floor = "#fdfcf8"
    static let wall = "#4d4a45"
    static let street = "#ffffff"
    static let streetEdge = "#cfcabf"
    static let corridor = "#ffffff"
    static let corridorEdge = "#9a958a"
    static let route = "#c2185b"
    static let label = "#26241f"
    static let quietLabel = "#6a665e"
    static let entrance = "#26241f"
    static let automatic = "#0a7d74"
}
