/// An SVG picture, built element by element.
///
/// Texts and names are escaped. Attributes are not, so never put a user's words into them.
public struct Drawing {
    /// The side of a text that its point marks: `text-anchor` of SVG.
    public enum Anchor: String {
        case start, middle, end
    }

    private var body = ""
    /// The kinds of signs in the drawing, as `note` was given them. A legend lists them.
    public private(set) var marks: Set<String> = []

    public init() {}

    /// Adds a kind of sign to `marks`.
    public mutating func note(_ mark: String) { marks.insert(mark) }

    /// Adds the elements and marks of another drawing.
    public mutating func append(_ other: Drawing) {
        body += other.body
        marks.formUnion(other.marks)
    }

    public mutating func open(_ element: String, _ attributes: String = "") {
        body += "<\(element)\(attributes.isEmpty ? "" : " ")\(attributes)>\n"
    }

    public mutating func close(_ element: String) { body += "</\(element)>\n" }

    public mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ attributes: String
    ) {
        body +=
            "<rect x=\"\(short(x))\" y=\"\(short(y))\" width=\"\(short(width))\" "
            + "height=\"\(short(height))\" \(attributes)/>\n"
    }

    public mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: String
    ) {
        body +=
            "<line x1=\"\(short(x1))\" y1=\"\(short(y1))\" x2=\"\(short(x2))\" "
            + "y2=\"\(short(y2))\" \(attributes)/>\n"
    }

    public mutating func circle(
        _ x: Double, _ y: Double, radius: Double, _ attributes: String
    ) {
        body +=
            "<circle cx=\"\(short(x))\" cy=\"\(short(y))\" r=\"\(short(radius))\" \(attributes)/>\n"
    }

    /// - Parameter element: `polyline` or `polygon`.
    public mutating func points(
        _ element: String, _ points: some Sequence<(x: Double, y: Double)>, _ attributes: String
    ) {
        let list = points.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
        body += "<\(element) points=\"\(list)\" \(attributes)/>\n"
    }

    /// Closed rings, filled by the even-odd rule: a ring within a ring is a hole.
    public mutating func rings(
        _ rings: some Sequence<[(x: Double, y: Double)]>, _ attributes: String
    ) {
        let paths = rings.map { ring in
            "M" + ring.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: "L") + "Z"
        }
        body += "<path d=\"\(paths.joined())\" fill-rule=\"evenodd\" \(attributes)/>\n"
    }

    /// Adds an element of ours, such as a pattern, as it is.
    public mutating func define(_ element: String) { body += element + "\n" }

    /// - Parameter commands: an SVG path's data (`d`), as our own code made it.
    public mutating func path(_ commands: String, _ attributes: String) {
        body += "<path d=\"\(commands)\" \(attributes)/>\n"
    }

    public mutating func text(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, size: Double = 12,
        _ attributes: String = ""
    ) {
        body +=
            "<text x=\"\(short(x))\" y=\"\(short(y))\" font-size=\"\(short(size))\" "
            + "text-anchor=\"\(anchor.rawValue)\"\(attributes.isEmpty ? "" : " ")\(attributes)>"
            + "\(Self.escaped(text))</text>\n"
    }

    /// The full text of the element that was opened last: a tooltip, and the words of a screen
    /// reader.
    public mutating func title(_ text: String) {
        body += "<title>\(Self.escaped(text))</title>\n"
    }

    /// The complete SVG file.
    public func finish(width: Double, height: Double) -> String {
        let size = "width=\"\(short(width))\" height=\"\(short(height))\""
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
            + "viewBox=\"0 0 \(short(width)) \(short(height))\" "
            + "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" fill=\"#222\">\n"
            + body + "</svg>\n"
    }

    /// The text for XML: control characters removed, markup characters escaped.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The number with at most one decimal, as nobody sees a tenth of a pixel.
public func short(_ value: Double) -> String {
    let text = decimal(value, places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// The number with exactly `places` decimals, the same on every machine.
public func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    let size = Int(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(size)" }
    let fraction = String(size % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(size / scale).\(zeros)\(fraction)"
}
