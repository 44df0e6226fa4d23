import COsmium

/// A file of OpenStreetMap data: XML, gzipped or not, or PBF. Its content decides which, not its
/// name.
///
/// Reading blocks the calling thread and uses one more thread of libosmium for unpacking.
public struct OpenStreetMapFile: Sendable {
    public let path: String
    public let limits: OpenStreetMapLimits

    public init(path: String, limits: OpenStreetMapLimits = OpenStreetMapLimits()) {
        self.path = path
        self.limits = limits
    }

    /// Calls the body with each entity in the file's order, usually nodes, ways, relations.
    ///
    /// - Parameter kinds: the wanted kinds. Others are skipped, which saves time.
    ///
    /// - Throws: `OpenStreetMapError`, possibly after calls of the body, or the body's own error.
    public func read(
        _ kinds: OpenStreetMapKinds = .all, _ body: (OpenStreetMapEntity) throws -> Void
    ) throws {
        let handle = try OpenStreetMapHandle(path, kinds: kinds, limits: limits)
        while let entity = try handle.next() {
            switch Int(entity.kind) {
            case COSMIUM_NODE: try body(.node(OpenStreetMapNode(entity)))
            case COSMIUM_WAY: try body(.way(OpenStreetMapWay(entity)))
            default: try body(.relation(OpenStreetMapRelation(entity)))
            }
        }
    }
}
