/// The text of an SVG picture, element by element. What is written as text or as a name is escaped.
///
/// Attributes are written as they are given, so they never hold anybody's words.
public struct Drawing {
    /// Where text stands to its point.
    public enum Anchor: String {
        case start, middle, end
    }

    private var body = ""
    /// What `note` was told of: the kinds of signs that were drawn.
    public private(set) var marks: Set<String> = []

    public init() {}

    /// Remembers that a sign of a kind was drawn.
    public mutating func note(_ mark: String) { marks.insert(mark) }

    /// Draws what another drawing holds.
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

    /// Closed rings; what lies within an even number of them is not filled.
    public mutating func rings(
        _ rings: some Sequence<[(x: Double, y: Double)]>, _ attributes: String
    ) {
        let paths = rings.map { ring in
            "M" + ring.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: "L") + "Z"
        }
        body += "<path d=\"\(paths.joined())\" fill-rule=\"evenodd\" \(attributes)/>\n"
    }

    /// An element of the program's own making, such as a pattern.
    public mutating func define(_ element: String) { body += element + "\n" }

    /// - Parameter commands: of an SVG path, made by the program.
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

    /// The whole file.
    public func finish(width: Double, height: Double) -> String {
        let size = "width=\"\(short(width))\" height=\"\(short(height))\""
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
            + "viewBox=\"0 0 \(short(width)) \(short(height))\" "
            + "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" fill=\"#222\">\n"
            + body + "</svg>\n"
    }

    /// What XML can hold of a text: control characters are left out.
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

/// At most one decimal: a tenth of a pixel is nothing to see.
public func short(_ value: Double) -> String {
    let text = decimal(value, places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A number with so many decimals, the same on every machine.
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
