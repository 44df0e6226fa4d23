public import Events

/// Smooths the positions of one partition of `positions`.
///
/// A position is given out when one of the same device is newer by the lag. Otherwise time decides:
/// the lag and an allowance after it was appended. Records tell the time, so the same log gives the
/// same positions, wherever the work was interrupted. Only a silence is measured by the machine.
public struct SmoothingTable: Sendable {
    public let rules: SmoothingRules
    /// The log's time: when the newest record was appended that was seen, and a silence since then.
    /// It goes back only with a clock that was set back by more than two minutes.
    public private(set) var time = Timestamp(microseconds: .min)
    private var devices: [DeviceKey: SmoothingWindow] = [:]
    /// Nil until the restored devices are used.
    private var timers: SmoothingTimers?
    /// The positions whose state has changed since it was stored.
    private var changed: Set<SmoothingPlace> = []

    public init(_ rules: SmoothingRules = SmoothingRules()) { self.rules = rules }

    // MARK: Restoring

    /// - Parameter entry: nil where nothing is stored of the position any more.
    public mutating func restore(_ entry: SmoothingEntry?, at place: SmoothingPlace) {
        var window = devices.removeValue(forKey: place.device) ?? SmoothingWindow()
        window.remove(place.position)
        if let entry {
            window.insert(entry)
            time = max(time, entry.appendedAt)
        }
        if !window.entries.isEmpty { devices[place.device] = window }
        timers = nil
    }

    /// Forgets what is stored of a position but can't be read.
    public mutating func restoreNothing(at place: SmoothingPlace) {
        restore(nil, at: place)
        changed.insert(place)
    }

    // MARK: Smoothing

    /// Whether the log's clock was set back.
    public func isSetBack(by moment: Timestamp) -> Bool {
        moment.advanced(byMicroseconds: SmoothingRules.clockStep) < time
    }

    /// Passes the log's time on. Where its clock was set back, all that waits is given out.
    ///
    /// - Returns: the smoothed positions, with the ids of those that they smooth.
    public mutating func pass(to moment: Timestamp) -> [PositionEstimated] {
        guard !isSetBack(by: moment) else {
            time = moment
            return devices.keys.sorted().flatMap { close($0) }
        }
        time = max(time, moment)
        var given: [PositionEstimated] = []
        makeTimers()
        while let keys = timers?.removeFirst(until: time) {
            for key in keys { given += settle(key) }
        }
        return given
    }

    /// Passes the time on where no record came. Without devices it stands still.
    ///
    /// - Parameter microseconds: the length of the silence, by this machine.
    /// - Returns: the smoothed positions, with the ids of those that they smooth.
    public mutating func pass(for microseconds: Int64) -> [PositionEstimated] {
        guard !devices.isEmpty else { return [] }
        let given = pass(to: time.advanced(byMicroseconds: microseconds))
        // The next record tells the time again. It may have been on its way for minutes.
        if devices.isEmpty { time = Timestamp(microseconds: .min) }
        return given
    }

    /// Adds a position. `pass(to:)` comes first, with the time at which it was appended.
    ///
    /// - Returns: the smoothed positions that wait for nothing any more. One that is there already
    ///   gives nothing.
    public mutating func add(
        _ position: PositionEstimated, appendedAt: Timestamp
    ) -> [PositionEstimated] {
        let key = DeviceKey(position.site, position.device)
        guard devices[key]?.entry(position.id) == nil else { return [] }
        makeTimers()
        var given: [PositionEstimated] = []
        if devices[key] == nil, devices.count >= rules.devices, let first = timers?.firstDevice {
            given = close(first)
        }
        devices[key, default: SmoothingWindow()].insert(
            SmoothingEntry(position, appendedAt: appendedAt))
        changed.insert(SmoothingPlace(key, position.id))
        return given + settle(key)
    }

    /// Forgets an erased device, with all that waits.
    public mutating func erase(_ key: DeviceKey) {
        guard let window = devices.removeValue(forKey: key) else { return }
        changed.formUnion(window.entries.map { SmoothingPlace(key, $0.position.id) })
        timers?.set(key, at: nil)
    }

    private mutating func settle(_ key: DeviceKey) -> [PositionEstimated] {
        // Only one owner, so that the entries are changed in place.
        guard var window = devices.removeValue(forKey: key) else { return [] }
        let outcome = window.settle(at: time, by: rules)
        changed.formUnion(outcome.changed.map { SmoothingPlace(key, $0) })
        timers?.set(key, at: window.nextWork(rules))
        if !window.entries.isEmpty { devices[key] = window }
        return outcome.given
    }

    private mutating func close(_ key: DeviceKey) -> [PositionEstimated] {
        guard var window = devices.removeValue(forKey: key) else { return [] }
        let outcome = window.close(by: rules)
        changed.formUnion(outcome.changed.map { SmoothingPlace(key, $0) })
        timers?.set(key, at: nil)
        return outcome.given
    }

    private mutating func makeTimers() {
        guard timers == nil else { return }
        var timers = SmoothingTimers()
        for (key, window) in devices { timers.set(key, at: window.nextWork(rules)) }
        self.timers = timers
    }

    // MARK: Storing

    /// The positions whose state has changed since the last call, in order, with what is to be
    /// stored of them; nil for nothing.
    public mutating func removeChanges() -> [(place: SmoothingPlace, entry: SmoothingEntry?)] {
        defer { changed = [] }
        return changed.sorted().map { ($0, devices[$0.device]?.entry($0.position)) }
    }
}
