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
        var reason = "the path can't be read"
        withUnsafeMutablePointer(to: &reason) { place in
            context.pointee.userData = UnsafeMutableRawPointer(place)
            context.pointee.error = { data, error in
                guard let data, let message = error?.pointee.message else { return }
                let place = data.assumingMemoryBound(to: String.self)
                let text = String(cString: message)
                place.pointee = text.split(separator: "\n").first.map(String.init) ?? text
            }
            if let compiled = xmlXPathCtxtCompile(context, text) {
                xmlXPathFreeCompExpr(compiled)
                reason = ""
            }
        }
        guard reason.isEmpty else { throw Fault(reason: reason) }
        self.text = text
    }

    public var description: String { text }
}

/// The bounds of reading pages.
public enum HTMLLimits {
    public static let mostBytes = 16 << 20
    public static let mostElements = 400_000
    /// Elements inside of elements.
    public static let mostDepth = 200
    /// Steps of libxml2 for one path, some seconds at most.
    static let mostPathSteps: UInt = 2_000_000
    public static let mostNodes = 50_000
    public static let mostTextBytes = 1 << 20
    public static let mostRows = 5_000
    public static let mostColumns = 1_000
    /// Places of a table's grid.
    public static let mostPlaces = 200_000
}

enum LibXML {
    private static let isPrepared: Bool = {
        xmlInitParser()
        return true
    }()

    /// Makes libxml2's global state, once. Other calls then need no lock.
    static func prepare() { precondition(isPrepared) }
}
