public import Events

/// Joins the reports of one partition of `sightings` to one scan for each device and window.
///
/// A report belongs to the window of its own time. A window is closed by the log's time: when a
/// record comes that was appended after the window's end and the grace. So the same log gives the
/// same scans, wherever the work was interrupted.
public struct SightingJoin: Sendable {
    /// Why a report, or a node of a window, is left out.
    public enum Drop: String, Hashable, Sendable, CaseIterable {
        /// Its window was closed, or is too old.
        case late
        /// Its time is too far ahead of the log's.
        case ahead
        /// Too many windows are open.
        case windows
        /// Too many devices are heard.
        case devices
        /// Too many nodes heard the device within the window; the weakest is left out.
        case nodes
    }

    /// A window of a device that was closed.
    public struct Closed: Hashable, Sendable {
        public var device: DeviceKey
        /// The beginning of the window.
        public var start: Timestamp
        public var window: SightingWindow

        /// The scan of the window. Nobody else made it, so the device counts as its scanner.
        public func scan(id: EventID) -> ScanRecorded {
            ScanRecorded(
                id: id, site: device.site, device: device.device,
                scanner: ScannerID(device.device.text), at: window.at,
                receivedAt: window.receivedAt, heardBy: window.readings)
        }
    }

    public let rules: SightingRules
    /// The log's time: when the newest record was appended that was joined. It does not go back
    /// with a broker's clock, but where that was set back by more than `clockStep`.
    public private(set) var time: Timestamp
    private var devices: [DeviceKey: HeardSightings] = [:]
    private var openCount = 0
    /// The parts of the limits that the sites take up.
    private var shares: [SiteID: Share] = [:]
    /// Nil until the restored devices are used.
    private var timers: SightingTimers?
    /// The devices whose state has changed since it was stored.
    private var changed: Set<DeviceKey> = []

    private struct Share {
        var windows = 0
        var devices = 0
    }

    public init(_ rules: SightingRules) {
        self.rules = rules
        time = Timestamp(microseconds: .min)
    }

    // MARK: Restoring

    public mutating func restore(time: Timestamp) { self.time = time }

    /// - Parameter heard: nil where nothing is stored of the device any more.
    public mutating func restore(_ heard: HeardSightings?, of key: DeviceKey) {
        keep(heard, of: key)
        changed.remove(key)
        timers = nil
    }

    /// Keeps this of a device, and counts it.
    private mutating func keep(_ heard: HeardSightings?, of key: DeviceKey) {
        let former = devices.removeValue(forKey: key)
        devices[key] = heard
        let windows = (heard?.open.count ?? 0) - (former?.open.count ?? 0)
        openCount += windows
        var share = shares[key.site] ?? Share()
        share.windows += windows
        share.devices += (heard == nil ? 0 : 1) - (former == nil ? 0 : 1)
        shares[key.site] = share.devices == 0 ? nil : share
    }

    /// Forgets what is stored of a device but can't be used, such as windows of another length.
    public mutating func restoreNothing(of key: DeviceKey) {
        restore(nil, of: key)
        changed.insert(key)
    }

    // MARK: Joining

    /// Clocks of brokers differ by less. One that was set back by more had been wrong, and all
    /// reports would be late until it is as late again.
    static let clockStep: Int64 = 120_000_000

    /// The most readings in the open windows of a device. Twice as many would exceed the record of
    /// its state, since a reading takes 84 bytes there at most.
    static let mostReadings = 6_000

    /// Whether the log's clock was set back.
    public func isSetBack(by moment: Timestamp) -> Bool {
        moment.advanced(byMicroseconds: Self.clockStep) < time
    }

    /// Passes the log's time on. Where its clock was set back, all windows that are open close.
    /// They stay known as closed, so that reports that are on their way give no second scan.
    ///
    /// - Returns: the windows that are closed now, in order of time and of their devices.
    public mutating func pass(to moment: Timestamp) -> [Closed] {
        guard isSetBack(by: moment) else {
            let moment = max(time, moment)
            return advance(to: moment, closingUntil: moment)
        }
        let closed = advance(to: moment, closingUntil: Timestamp(microseconds: .max))
        forgetUnreachable()
        return closed
    }

    /// Forgets the devices of which windows were closed that are too far ahead for any report. They
    /// would leave no bits for the windows of now.
    private mutating func forgetUnreachable() {
        let last = rules.window(at: time) + rules.ahead
        for (key, heard) in devices where heard.closed.map({ $0.newest > last }) ?? false {
            keep(nil, of: key)
            changed.insert(key)
        }
        timers = nil
    }

    private mutating func advance(
        to moment: Timestamp, closingUntil limit: Timestamp
    ) -> [Closed] {
        time = moment
        var timers = self.timers ?? SightingTimers(devices, rules)
        // Only one owner, so that the sets are changed in place.
        self.timers = nil
        var closed: [Closed] = []
        while let window = timers.firstClosing, rules.close(of: window) <= limit {
            for key in timers.removeFirstClosing() { close(key, with: window, &timers, &closed) }
        }
        while let window = timers.firstForgetting, rules.start(of: window) <= time {
            for key in timers.removeFirstForgetting() { forget(key) }
        }
        self.timers = timers
        return closed
    }

    private mutating func close(
        _ key: DeviceKey, with number: Int64, _ timers: inout SightingTimers,
        _ closed: inout [Closed]
    ) {
        guard var heard = devices[key] else { return }
        let former = heard.closed
        for window in heard.open where window.closesWith == number {
            heard.close(window, rules)
            closed.append(
                Closed(device: key, start: rules.start(of: window.number), window: window))
            changed.insert(key)
        }
        keep(heard, of: key)
        timers.forget(key, after: heard.closed, not: former)
    }

    /// Forgets the device if all that is kept of it is old. Where a window is still open, the next
    /// closing sets the timer anew.
    private mutating func forget(_ key: DeviceKey) {
        guard let heard = devices[key], heard.open.isEmpty, let closed = heard.closed,
            closed.newest + rules.remembered <= rules.window(at: time)
        else { return }
        keep(nil, of: key)
        changed.insert(key)
    }

    /// Adds a report. `pass` comes first, with the time at which the report was appended.
    ///
    /// - Returns: why something is left out for it; nil for nothing.
    public mutating func add(_ sighting: SightingReported) -> Drop? {
        let key = DeviceKey(sighting.site, sighting.device)
        let number = rules.window(at: sighting.at)
        let now = rules.window(at: time)
        guard number - now <= rules.ahead else { return .ahead }
        guard now - number < rules.remembered,
            devices[key]?.closed?.contains(number) != true
        else { return .late }
        guard (devices[key]?.readings ?? 0) < Self.mostReadings else { return .windows }
        if var window = devices[key]?.window(number) {
            let isFull = window.add(sighting, limit: rules.nodes)
            devices[key]?.put(window)
            changed.insert(key)
            return isFull ? .nodes : nil
        }
        if let drop = limit(of: key) { return drop }
        let window = SightingWindow(sighting, number: number, closesWith: max(number, now))
        var heard = devices[key] ?? HeardSightings()
        heard.put(window)
        keep(heard, of: key)
        timers?.close(key, with: window.closesWith)
        changed.insert(key)
        return nil
    }

    /// The limit that one more window of the device would break; nil for none.
    private func limit(of key: DeviceKey) -> Drop? {
        let own = shares[key.site] ?? Share()
        guard SightingRules.permits(own: own.windows, all: openCount, limit: rules.windows) else {
            return .windows
        }
        guard
            devices[key] != nil
                || SightingRules.permits(
                    own: own.devices, all: devices.count, limit: rules.devices)
        else { return .devices }
        return nil
    }

    /// Forgets an erased device, with its open windows.
    public mutating func erase(_ key: DeviceKey) {
        guard devices[key] != nil else { return }
        keep(nil, of: key)
        changed.insert(key)
    }

    // MARK: Storing

    /// The log's time at which something is to be done, even if no report comes; nil for nothing.
    ///
    /// - Parameter now: this machine's time. By a right clock no window is open for longer than
    ///   `openMicroseconds`. The log's clock may be ahead, and be set back while the log is silent.
    public func nextWork(at now: Timestamp) -> Timestamp? {
        guard changed.isEmpty else { return time }
        let timers = self.timers ?? SightingTimers(devices, rules)
        let latest = now.advanced(byMicroseconds: rules.openMicroseconds)
        return [
            timers.firstClosing.map { min(rules.close(of: $0), latest) },
            timers.firstForgetting.map { rules.start(of: $0) },
        ].compactMap(\.self).min()
    }

    /// The devices that have changed since the last call, in order, with what is to be stored of
    /// them; nil for nothing.
    public mutating func removeChanges() -> [(key: DeviceKey, heard: HeardSightings?)] {
        defer { changed = [] }
        return changed.sorted().map { ($0, devices[$0]) }
    }
}
