public import Events
public import JSON

/// A scanner as administrators see it: whether it is a node, when its token ends, and how it does.
public struct ListedScanner: Listed, Sendable {
    public static var listName: StaticString { "scanners" }

    private let scanner: ScannerID
    private let isNode: Bool
    /// When its last token ends; nil where one never ends.
    private let expiresAt: Timestamp?
    /// The JSON of its health; nil before it told any.
    private let health: [UInt8]?

    public init(_ scanner: ScannerID, isNode: Bool, expiresAt: Timestamp?, health: [UInt8]?) {
        self.scanner = scanner
        self.isNode = isNode
        self.expiresAt = expiresAt
        self.health = health
    }

    public var cursor: String? { scanner.text }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("scanner", scanner)
        writer.field("node", isNode)
        writer.field("expiresAt", expiresAt)
        if let health {
            writer.name("health")
            writer.raw(json: health)
        }
    }
}

/// The body of `PATCH /v1/sites/{site}/enrolled-scanners/{scanner}`.
public struct ScannerChange: Hashable, Sendable {
    public var isNode: Bool

    /// Reads `{"node"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a change of a scanner is an object")
            }
            // A list's entry may be sent back as it is.
            try object.checkMembers(["scanner", "node", "expiresAt", "health"])
            return Self(isNode: try FieldReader(object).required("node").bool())
        }
    }

    private init(isNode: Bool) { self.isNode = isNode }
}
