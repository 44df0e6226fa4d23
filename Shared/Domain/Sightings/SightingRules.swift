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

    /// Reports of as many windows are joined, counted back from the log's time. Older ones are too
    /// late.
    static let remembered: Int64 = 128
    /// The most windows by which a report may be ahead of the log's time.
    static let ahead: Int64 = 30

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
