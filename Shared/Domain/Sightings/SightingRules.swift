import Events

/// How reports of devices are joined to scans, and the limits of the memory for it.
public struct SightingRules: Hashable, Sendable {
    /// The length of a window. Windows lie end to end from 1970 on.
    public var windowMicroseconds: Int64
    /// How long a window stays open after its end, by the log's time.
    public var graceMicroseconds: Int64
    /// The most nodes of a window. The strongest are kept.
    public var nodes: Int
    /// The most open windows of a partition.
    ///
    /// The last quarter of this limit, and of the next, is kept for sites that have less than a
    /// quarter themselves. So one crowded site leaves room for the others of its partition.
    public var windows: Int
    /// The most devices of a partition. A device counts while one of its windows is open or is
    /// remembered as closed.
    public var devices: Int

    /// - Parameters:
    ///   - windowMicroseconds: more than 0.
    ///   - nodes: 1 to 255.
    public init(
        windowMicroseconds: Int64, graceMicroseconds: Int64, nodes: Int = 32,
        windows: Int = 5_000, devices: Int = 20_000
    ) {
        precondition(windowMicroseconds > 0 && (1...255).contains(nodes))
        self.windowMicroseconds = windowMicroseconds
        self.graceMicroseconds = graceMicroseconds
        self.nodes = nodes
        self.windows = windows
        self.devices = devices
    }

    /// Reports of at least so long ago are joined: 4 min 16 s.
    private static let pastMicroseconds: Int64 = 256_000_000
    /// Reports may be ahead of the log's time by at least so much.
    public static let aheadMicroseconds: Int64 = 60_000_000

    /// Reports of as many windows are joined, counted back from that of the log's time. Older ones
    /// are too late.
    var remembered: Int64 { Self.remembered(windowMicroseconds: windowMicroseconds) }
    /// The most windows by which a report may be ahead of the log's time.
    var ahead: Int64 {
        Self.windows(over: Self.aheadMicroseconds, windowMicroseconds)
    }

    /// The longest time for which a window is open, by a right clock.
    var openMicroseconds: Int64 { (ahead + 1) * windowMicroseconds + graceMicroseconds }

    static func remembered(windowMicroseconds: Int64) -> Int64 {
        windows(over: pastMicroseconds, windowMicroseconds) + 1
    }

    /// The number of windows that are as long together, rounded up.
    private static func windows(over time: Int64, _ windowMicroseconds: Int64) -> Int64 {
        (time - 1) / windowMicroseconds + 1
    }

    /// Whether a site may take one more of what a limit bounds.
    ///
    /// - Parameters:
    ///   - own: how many the site has.
    ///   - all: how many all sites of the partition have.
    static func permits(own: Int, all: Int, limit: Int) -> Bool {
        let quarter = limit / 4
        return all < (own < quarter ? limit : limit - quarter)
    }

    /// The number of the window in which the time lies.
    func window(at moment: Timestamp) -> Int64 {
        let (quotient, remainder) =
            moment.microseconds.quotientAndRemainder(dividingBy: windowMicroseconds)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The time at which the window begins.
    func start(of window: Int64) -> Timestamp {
        let (start, isTooFar) = window.multipliedReportingOverflow(by: windowMicroseconds)
        return Timestamp(microseconds: isTooFar ? (window > 0 ? .max : .min) : start)
    }

    /// The log's time from which on a window is closed that waits for the end of this one.
    func close(of window: Int64) -> Timestamp {
        start(of: window + 1).advanced(byMicroseconds: graceMicroseconds)
    }
}
