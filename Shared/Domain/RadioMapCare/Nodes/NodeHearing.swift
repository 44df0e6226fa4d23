public import Events

/// A sender with a known place: a node that others hear, or a fixed beacon.
public enum NodeSource: Hashable, Sendable, Comparable {
    case node(ScannerID)
    case beacon(BeaconID)

    /// `node/` or `beacon/` and the id.
    public var text: String {
        switch self {
        case .node(let id): "node/\(id)"
        case .beacon(let id): "beacon/\(id)"
        }
    }

    var isNode: Bool {
        if case .node = self { true } else { false }
    }

    /// Nil for other texts.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        switch (parts.first, parts.last) {
        case ("node", let id?) where parts.count == 2: self = .node(ScannerID(String(id)))
        case ("beacon", let id?) where parts.count == 2: self = .beacon(BeaconID(String(id)))
        default: return nil
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// How often, and how strongly, a node heard a source in one hour.
public struct NodeHearing: Hashable, Sendable {
    public var source: NodeSource
    public var node: ScannerID
    /// Hours since 1970.
    public var hour: Int
    /// How often several nodes heard the source, and so this one could have. Its own scans of a
    /// beacon count, too.
    public var windows: Int
    public var readings: Int
    /// The mean of the readings in dBm; 0 without readings.
    public var mean: Double
    /// How often one node alone heard the source, and how often that was this one.
    public var loneWindows: Int
    public var loneReadings: Int

    public init(
        source: NodeSource, node: ScannerID, hour: Int, windows: Int, readings: Int, mean: Double,
        loneWindows: Int = 0, loneReadings: Int = 0
    ) {
        self.source = source
        self.node = node
        self.hour = hour
        self.windows = windows
        self.readings = readings
        self.mean = mean
        self.loneWindows = loneWindows
        self.loneReadings = loneReadings
    }
}

extension [NodeHearing] {
    /// How often several nodes heard each source, by the hour.
    var windows: [NodeSource: [Int: Int]] {
        var windows: [NodeSource: [Int: Int]] = [:]
        for hearing in self {
            let known = windows[hearing.source]?[hearing.hour] ?? 0
            windows[hearing.source, default: [:]][hearing.hour] = Swift.max(known, hearing.windows)
        }
        return windows
    }
}
