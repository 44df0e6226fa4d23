import COsmium

/// A file of OpenStreetMap data: XML, gzipped or not, or PBF; which it is its content says, not its
/// name.
///
/// Reading blocks the thread, and takes a second one of libosmium's own for unpacking.
public struct OpenStreetMapFile: Sendable {
    public let path: String
    public let limits: OpenStreetMapLimits

    public init(path: String, limits: OpenStreetMapLimits = OpenStreetMapLimits()) {
        self.path = path
        self.limits = limits
    }

    /// Calls the body with what the file holds, in its order, which is by custom nodes, ways,
    /// relations.
    ///
    /// - Parameter kinds: what is wanted; the rest is skipped, which saves time.
    /// - Throws: `OpenStreetMapError`, perhaps after the body was called, or what the body throws.
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
