public import Events

/// The reports of one device within one window.
///
/// It is the same for every order of its reports, and when a report comes twice.
public struct SightingWindow: Hashable, Sendable {
    /// The number of the window, counted from 1970.
    public let number: Int64
    /// The number of the window at whose end, and the grace, this one is closed. It is a later one
    /// where the first report came after the end of the window itself. Some systems collect
    /// reports for a minute.
    public let closesWith: Int64
    /// The strongest reading of each node: the strongest node first, then by their ids.
    public private(set) var readings: [NodeReading]
    /// The time of the latest report.
    public private(set) var at: Timestamp
    /// When the last of them arrived.
    public private(set) var receivedAt: Timestamp

    public init(
        number: Int64, closesWith: Int64, readings: [NodeReading], at: Timestamp,
        receivedAt: Timestamp
    ) {
        self.number = number
        self.closesWith = closesWith
        self.readings = readings
        self.at = at
        self.receivedAt = receivedAt
    }

    /// The window of a first report.
    init(_ sighting: SightingReported, number: Int64, closesWith: Int64) {
        self.init(
            number: number, closesWith: closesWith, readings: [NodeReading(sighting)],
            at: sighting.at, receivedAt: sighting.receivedAt)
    }

    /// Adds a report.
    ///
    /// - Parameter limit: the most nodes.
    /// - Returns: whether a node had to be left out for it.
    mutating func add(_ sighting: SightingReported, limit: Int) -> Bool {
        at = max(at, sighting.at)
        receivedAt = max(receivedAt, sighting.receivedAt)
        let reading = NodeReading(sighting)
        if let known = readings.firstIndex(where: { $0.scanner == reading.scanner }) {
            guard reading.comesBefore(readings[known]) else { return false }
            readings.remove(at: known)
        }
        let place = readings.firstIndex { reading.comesBefore($0) } ?? readings.endIndex
        readings.insert(reading, at: place)
        guard readings.count > limit else { return false }
        readings.removeLast()
        return true
    }
}

extension NodeReading {
    fileprivate init(_ sighting: SightingReported) {
        self.init(
            scanner: sighting.scanner, rssi: sighting.rssi, distance: sighting.distance)
    }

    /// Whether this reading is the one to keep, or to name first. Between equals the nearer counts,
    /// so that the order of the reports does not.
    fileprivate func comesBefore(_ other: NodeReading) -> Bool {
        if rssi != other.rssi { return rssi > other.rssi }
        if scanner != other.scanner { return scanner < other.scanner }
        guard let own = distance else { return false }
        guard let others = other.distance else { return true }
        return (own.deviation, own.metres) < (others.deviation, others.metres)
    }
}
