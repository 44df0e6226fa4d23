/// The windows of one device that were closed, among the newest 128.
public struct ClosedWindows: Hashable, Sendable {
    /// The number of the newest one.
    public let newest: Int64
    /// Bit n stands for the window n before the newest one.
    public let bits: UInt128

    public init(newest: Int64, bits: UInt128) {
        self.newest = newest
        self.bits = bits
    }

    /// The windows with one more, which lies among the newest 128.
    func adding(_ window: Int64) -> ClosedWindows {
        guard window > newest else {
            return ClosedWindows(newest: newest, bits: bits | (1 << (newest - window)))
        }
        // A shift by more than the width gives zero.
        return ClosedWindows(newest: window, bits: bits << (window - newest) | 1)
    }

    func contains(_ window: Int64) -> Bool {
        window <= newest && bits & (1 << (newest - window)) != 0
    }
}

/// The memory of one device while reports of it are joined.
public struct HeardSightings: Hashable, Sendable {
    /// The open windows, in the order of their numbers.
    public private(set) var open: [SightingWindow]
    public private(set) var closed: ClosedWindows?

    public init(open: [SightingWindow] = [], closed: ClosedWindows? = nil) {
        self.open = open
        self.closed = closed
    }

    /// Nil where the window is not open.
    func window(_ number: Int64) -> SightingWindow? { open.first { $0.number == number } }

    /// Puts the window among the open ones, in place of an older state of it.
    mutating func put(_ window: SightingWindow) {
        let place = open.firstIndex { $0.number >= window.number } ?? open.endIndex
        if place < open.endIndex, open[place].number == window.number {
            open[place] = window
        } else {
            open.insert(window, at: place)
        }
    }

    mutating func close(_ window: SightingWindow) {
        open.removeAll { $0.number == window.number }
        closed =
            closed?.adding(window.number) ?? ClosedWindows(newest: window.number, bits: 1)
    }
}
