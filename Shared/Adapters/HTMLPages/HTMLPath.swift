import CXML2

/// An XPath 1.0 expression that is known to compile.
public struct HTMLPath: Hashable, Sendable, CustomStringConvertible {
    public static let mostBytes = 2_000

    /// The reason for which a text is no path.
    public struct Fault: Error, Hashable, Sendable {
        public var reason: String
    }

    public let text: String

    /// - Throws: `Fault` if the text is no XPath, or too long.
    public init(_ text: String) throws(Fault) {
        guard !text.isEmpty else { throw Fault(reason: "the path is empty") }
        guard text.utf8.count <= Self.mostBytes, !text.utf8.contains(0) else {
            throw Fault(reason: "the path has more than \(Self.mostBytes) bytes or a zero byte")
        }
        LibXML.prepare()
        guard let context = xmlXPathNewContext(nil) else {
            throw Fault(reason: "no memory")
        }
        defer { xmlXPathFreeContext(context) }
        context.pointee.opLimit = HTMLLimits.mostPathSteps
        let report = Report()
        context.pointee.userData = Unmanaged.passUnretained(report).toOpaque()
        context.pointee.error = { data, error in
            guard let data, let error else { return }
            Unmanaged<Report>.fromOpaque(data).takeUnretainedValue().reason = HTMLPath.reason(
                code: Int(error.pointee.code), place: Int(error.pointee.int1))
        }
        // The context holds no reference, so the report is kept alive until the end.
        defer { withExtendedLifetime(report) {} }
        guard let compiled = xmlXPathCtxtCompile(context, text) else {
            throw Fault(reason: report.reason)
        }
        xmlXPathFreeCompExpr(compiled)
        self.text = text
    }

    /// libxml2 gives a number and a place, but no words.
    private static func reason(code: Int, place: Int) -> String {
        let what =
            switch code - Int(XML_XPATH_EXPRESSION_OK.rawValue) {
            case 1, 2: "a text in quotes is not closed"
            case 3, 4, 5: "variables can't be used"
            case 6, 8: "a condition in brackets is not closed"
            default: "it is no XPath"
            }
        return "\(what), after \(place) bytes"
    }

    private final class Report {
        var reason = "it is no XPath"
    }

    public var description: String { text }
}

/// The bounds of reading pages.
public enum HTMLLimits {
    public static let mostBytes = 16 << 20
    public static let mostElements = 400_000
    /// Attributes of one element.
    public static let mostAttributes = 500
    /// Elements inside of elements.
    public static let mostDepth = 200
    /// Steps of libxml2 for one path, some seconds at most.
    static let mostPathSteps: UInt = 2_000_000
    /// Those of all paths on one page. A table of 20,000 rows with seven paths needs less.
    static let mostSteps: UInt = 20_000_000
    public static let mostNodes = 50_000
    /// The text of one node. Longer ones are cut.
    public static let mostTextBytes = 8 << 10
    /// Those of all nodes of one page, each as often as it is read.
    static let mostReadBytes = 64 << 20
    /// A node on the way to a text counts as so many bytes.
    static let nodeBytes = 8
    static let mostRows = 5_000
    static let mostColumns = 1_000
    /// Places of a table's grid.
    static let mostPlaces = 200_000
}

enum LibXML {
    private static let isPrepared: Bool = {
        xmlInitParser()
        return true
    }()

    /// Makes libxml2's global state, once, and keeps errors of this thread from stderr. Other
    /// calls then need no lock.
    static func prepare() {
        precondition(isPrepared)
        xmlSetStructuredErrorFunc(nil, ignoreError)
    }
}
