/// The windows of one device that were closed, among the newest ones.
public struct ClosedWindows: Hashable, Sendable {
    /// The number of the newest one.
    public private(set) var newest: Int64
    /// The bits of the newest windows. Window n has bit n, modulo the number of all bits.
    public private(set) var bits: [UInt64]

    /// - Parameter bits: as many words as `words(windowMicroseconds:)` says.
    public init(newest: Int64, bits: [UInt64]) {
        self.newest = newest
        self.bits = bits
    }

    /// One closed window.
    init(_ window: Int64, _ rules: SightingRules) {
        let words = Self.words(windowMicroseconds: rules.windowMicroseconds)
        self.init(newest: window, bits: [UInt64](repeating: 0, count: words))
        set(window, true)
    }

    /// The words that hold the bits of all windows that can still get reports.
    public static func words(windowMicroseconds: Int64) -> Int {
        Int((SightingRules.remembered(windowMicroseconds: windowMicroseconds) + 63) / 64)
    }

    private var capacity: Int64 { Int64(bits.count) * 64 }

    /// Adds a window. One that is older than those that have bits is left out: reports of it are
    /// too late.
    mutating func add(_ window: Int64) {
        guard newest - window < capacity else { return }
        if window > newest {
            // The bits of the windows between were those of older ones.
            for number in max(newest + 1, window - capacity + 1)...window { set(number, false) }
            newest = window
        }
        set(window, true)
    }

    func contains(_ window: Int64) -> Bool {
        guard window <= newest, newest - window < capacity else { return false }
        let (word, bit) = place(window)
        return bits[word] & bit != 0
    }

    private mutating func set(_ window: Int64, _ isClosed: Bool) {
        let (word, bit) = place(window)
        if isClosed { bits[word] |= bit } else { bits[word] &= ~bit }
    }

    private func place(_ window: Int64) -> (word: Int, bit: UInt64) {
        let remainder = window % capacity
        let number = remainder < 0 ? remainder + capacity : remainder
        return (Int(number / 64), 1 << UInt64(number % 64))
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

    /// The number of readings in the open windows.
    var readings: Int { open.reduce(0) { $0 + $1.readings.count } }

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

    mutating func close(_ window: SightingWindow, _ rules: SightingRules) {
        open.removeAll { $0.number == window.number }
        if closed == nil {
            closed = ClosedWindows(window.number, rules)
        } else {
            closed?.add(window.number)
        }
    }
}
