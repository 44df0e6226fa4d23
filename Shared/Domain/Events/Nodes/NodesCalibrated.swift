/// How the nodes of a site hear, as fitted from what they hear of each other and of fixed beacons
/// (topic `radio-maps`, key `site/nodes`).
///
/// A reading is expected to be the level and the node's offset in dBm. It loses 10 exponents for
/// each decade of metres, and the losses of the walls and floors between, in dB.
public struct NodesCalibrated: Hashable, Sendable {
    /// How much a node hears.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case working
        /// It hears far less than its neighbours' transmissions should give. It is left out.
        case deaf
    }

    /// One node.
    public struct Node: Hashable, Sendable {
        public var scanner: ScannerID
        /// The dB by which it hears more strongly than the usual node.
        public var offset: Double
        /// The standard error of the offset, in dB.
        public var offsetError: Double
        /// The path loss exponent around it.
        public var exponent: Double
        /// The standard error of the exponent.
        public var exponentError: Double
        /// The number of nodes and beacons that it hears.
        public var links: Int
        /// The number of readings behind them.
        public var readings: Int
        public var state: State
        /// When a deaf node was first found so; nil for a working one.
        public var deafSince: Timestamp?

        public init(
            scanner: ScannerID, offset: Double, offsetError: Double, exponent: Double,
            exponentError: Double, links: Int, readings: Int, state: State = .working,
            deafSince: Timestamp? = nil
        ) {
            self.scanner = scanner
            self.offset = offset
            self.offsetError = offsetError
            self.exponent = exponent
            self.exponentError = exponentError
            self.links = links
            self.readings = readings
            self.state = state
            self.deafSince = deafSince
        }
    }

    public var site: SiteID
    public var siteVersion: Int
    public var calibratedAt: Timestamp
    /// The strength of a usual sender at one metre, as the usual node hears it, in dBm.
    public var level: Double
    /// dB for each wall between.
    public var wallLoss: Double
    /// dB for each floor between.
    public var floorLoss: Double
    /// The standard deviation of a link around the fit, in dB.
    public var deviation: Double
    /// Ordered by scanner.
    public var nodes: [Node]

    public init(
        site: SiteID, siteVersion: Int, calibratedAt: Timestamp, level: Double, wallLoss: Double,
        floorLoss: Double, deviation: Double, nodes: [Node]
    ) {
        self.site = site
        self.siteVersion = siteVersion
        self.calibratedAt = calibratedAt
        self.level = level
        self.wallLoss = wallLoss
        self.floorLoss = floorLoss
        self.deviation = deviation
        self.nodes = nodes
    }
}
