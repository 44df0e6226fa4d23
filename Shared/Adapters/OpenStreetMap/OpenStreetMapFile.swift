import COsmium

/// A file of OpenStreetMap data: XML, gzipped or not, or PBF. Its content decides which, not its
/// name.
///
/// Reading blocks the calling thread and uses one more thread of libosmium for unpacking.
public struct OpenStreetMapFile: Sendable {
    /// The path; for a file in memory a word for it in errors.
    public let path: String
    public let limits: OpenStreetMapLimits
    private let bytes: [UInt8]?

    public init(path: String, limits: OpenStreetMapLimits = OpenStreetMapLimits()) {
        self.path = path
        self.limits = limits
        bytes = nil
    }

    /// A file in memory.
    public init(bytes: [UInt8], limits: OpenStreetMapLimits = OpenStreetMapLimits()) {
        path = "the file"
        self.limits = limits
        self.bytes = bytes
    }

    /// Calls the body with each entity in the file's order, usually nodes, ways, relations.
    ///
    /// - Parameter kinds: the wanted kinds. Others are skipped, which saves time.
    ///
    /// - Throws: `OpenStreetMapError`, possibly after calls of the body, or the body's own error.
    public func read(
        _ kinds: OpenStreetMapKinds = .all, _ body: (OpenStreetMapEntity) throws -> Void
    ) throws {
        let handle = try OpenStreetMapHandle(path, bytes, kinds: kinds, limits: limits)
        while let entity = try handle.next() {
            switch Int(entity.kind) {
            case COSMIUM_NODE: try body(.node(OpenStreetMapNode(entity)))
            case COSMIUM_WAY: try body(.way(OpenStreetMapWay(entity)))
            default: try body(.relation(OpenStreetMapRelation(entity)))
            }
        }
    }
}
