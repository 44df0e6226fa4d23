import VectorGraphics

/// The signs of the floors' maps with their words, in as many lines as they need.
struct ErrorLegend {
    private enum Sign {
        case line(colour: String)
        case ring
        case dot
        case none
    }

    private static let size = 11.0
    private static let pitch = 18.0
    private static let signWidth = 28.0
    private static let gap = 16.0

    private let entries: [(sign: Sign, words: String)]
    /// The left side of each entry, and its line.
    private let places: [(x: Double, line: Int)]

    init(_ bands: ErrorBands, floorsLeftOut: Int) {
        var entries: [(sign: Sign, words: String)] = bands.described.map {
            (.line(colour: $0.colour), $0.words)
        }
        entries += [(.ring, "wrong floor, or lost"), (.dot, "surveyed")]
        if floorsLeftOut > 0 {
            entries.append((.none, "\(floorsLeftOut) floors with fewer scans are left out"))
        }
        var (x, line) = (Layout.margin, 0)
        var places: [(x: Double, line: Int)] = []
        for entry in entries {
            let width = Self.signWidth + textWidth(entry.words, size: Self.size)
            if x + width > Layout.width - Layout.margin, x > Layout.margin {
                (x, line) = (Layout.margin, line + 1)
            }
            places.append((x, line))
            x += width + Self.gap
        }
        self.entries = entries
        self.places = places
    }

    /// The height of all lines but the first.
    var furtherHeight: Double { Double(places.last?.line ?? 0) * Self.pitch }

    func draw(top: Double, in drawing: inout Drawing) {
        for (entry, place) in zip(entries, places) {
            let (x, y) = (place.x, top + Double(place.line) * Self.pitch)
            switch entry.sign {
            case .line(let colour):
                drawing.line(x, y, x + 22, y, "stroke=\"\(colour)\" stroke-width=\"3\"")
            case .ring:
                drawing.circle(
                    x + 11, y, radius: 4,
                    "fill=\"none\" stroke=\"\(ErrorBands.wrongFloor)\" stroke-width=\"1.5\"")
            case .dot:
                drawing.circle(x + 11, y, radius: 2, "fill=\"#bbb\"")
            case .none: break
            }
            drawing.text(entry.words, x + Self.signWidth, y + 4, size: Self.size)
        }
    }
}
