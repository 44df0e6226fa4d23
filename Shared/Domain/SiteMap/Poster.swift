public import Geometry
import VectorGraphics

/// A sheet of A4 for a wall: "You are here", the place's name and the map around it. A QR code
/// leads to the ways from there.
public struct Poster: Sendable {
    /// The sheet in pixels, at 96 to the inch.
    private static let (width, height) = (794.0, 1_123.0)
    private static let margin = 60.0
    /// The map shows this many metres to each side of the place.
    private static let aroundMetres = 25.0
    private static let codeSide = 230.0
    /// The light modules that a QR code needs around it (ISO/IEC 18004, 9.1).
    private static let quietModules = 4

    private let heading: String
    private let name: String
    private let floor: String
    private let request: String
    /// The address behind the code, for people to type.
    private let address: String
    /// The rows of the QR code: true for a dark module.
    private let code: [[Bool]]
    private let point: Point
    private let language: String?

    public init(
        heading: String, name: String, floor: String, request: String, address: String,
        code: [[Bool]], point: Point, language: String?
    ) {
        self.heading = heading
        self.name = name
        self.floor = floor
        self.request = request
        self.address = address
        self.code = code
        self.point = point
        self.language = language
    }

    /// The sheet as SVG.
    ///
    /// - Parameter map: the map of the place's floor.
    public func svg(_ map: SiteMap) -> String {
        let (margin, width) = (Self.margin, Self.width - 2 * Self.margin)
        var drawing = Drawing()
        drawing.rectangle(0, 0, Self.width, Self.height, "fill=\"#ffffff\"")
        drawing.rectangle(0, 0, Self.width, 150, "fill=\"\(MapPalette.route)\"")
        write(heading, 95, largest: 58, "font-weight=\"700\" fill=\"#ffffff\"", in: &drawing)
        write(name, 215, largest: 44, "font-weight=\"700\"", in: &drawing)
        write(floor, 260, largest: 26, "fill=\"#555\"", in: &drawing)
        drawMap(map, top: 290, height: 510, in: &drawing)
        let top = 840.0
        drawCode(left: margin, top: top, in: &drawing)
        let left = margin + Self.codeSide + 30
        let room = width - Self.codeSide - 30
        for (number, line) in Self.lines(request, to: room, size: 28).prefix(4).enumerated() {
            drawing.text(line, left, top + 40 + 36 * Double(number), size: 28, "fill=\"#222\"")
        }
        let size = min(18, 18 * room / max(textWidth(address, size: 18), 1))
        drawing.text(address, left, top + Self.codeSide - 20, size: size, "fill=\"#555\"")
        return drawing.finish(width: Self.width, height: Self.height)
    }

    /// A line of text across the sheet, smaller where it is long.
    private func write(
        _ text: String, _ baseline: Double, largest: Double, _ attributes: String,
        in drawing: inout Drawing
    ) {
        let room = Self.width - 2 * Self.margin
        let size = min(largest, largest * room / max(textWidth(text, size: largest), 1))
        drawing.text(text, Self.margin, baseline, size: size, attributes)
    }

    private func drawMap(
        _ map: SiteMap, top: Double, height: Double, in drawing: inout Drawing
    ) {
        let around = Self.aroundMetres
        let corners = [-around, around].map {
            Point(x: point.x + $0, y: point.y + $0 * 0.75)
        }
        guard let part = BoundingBox(corners) else { return }
        let page = MapPage(widthPixels: 800, language: language, route: [point])
        drawing.append(
            map.chart(
                page, part, left: Self.margin, top: top, width: Self.width - 2 * Self.margin,
                height: height))
    }

    private func drawCode(left: Double, top: Double, in drawing: inout Drawing) {
        // Whole pixels, so that all modules are alike.
        let side = (Self.codeSide / Double(code.count + 2 * Self.quietModules)).rounded(.down)
        for (row, modules) in code.enumerated() {
            var column = 0
            while column < modules.count {
                // Neighbours become one rectangle, or a printer leaves light lines between them.
                let end = modules[column...].firstIndex { $0 != modules[column] } ?? modules.count
                if modules[column] {
                    drawing.rectangle(
                        left + Double(column + Self.quietModules) * side,
                        top + Double(row + Self.quietModules) * side,
                        Double(end - column) * side, side + 0.05,
                        "fill=\"#000000\" shape-rendering=\"crispEdges\"")
                }
                column = end
            }
        }
    }

    /// The words in lines that fit.
    private static func lines(_ text: String, to width: Double, size: Double) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, textWidth("\(last) \(word)", size: size) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
