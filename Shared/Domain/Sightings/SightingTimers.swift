import Events

/// When windows are to be closed and devices to be forgotten. It follows from the devices.
struct SightingTimers: Sendable {
    /// For each window at whose end others are closed: the devices that have such windows.
    private var closing: [Int64: Set<DeviceKey>] = [:]
    /// For each window: the devices that may be forgotten when it has begun.
    private var forgetting: [Int64: Set<DeviceKey>] = [:]
    private(set) var firstClosing: Int64?
    private(set) var firstForgetting: Int64?

    /// After as many windows a device is forgotten.
    private let remembered: Int64

    init(_ devices: [DeviceKey: HeardSightings], _ rules: SightingRules) {
        remembered = rules.remembered
        for (key, heard) in devices {
            for window in heard.open { close(key, with: window.closesWith) }
            forget(key, after: heard.closed, not: nil)
        }
    }

    mutating func close(_ key: DeviceKey, with window: Int64) {
        closing[window, default: []].insert(key)
        firstClosing = min(firstClosing ?? window, window)
    }

    /// The device may be forgotten when its newest closed window is old.
    ///
    /// - Parameter former: its closed windows of before.
    mutating func forget(
        _ key: DeviceKey, after closed: ClosedWindows?, not former: ClosedWindows?
    ) {
        if let former { remove(key, from: former.newest + remembered) }
        guard let closed else { return }
        let window = closed.newest + remembered
        forgetting[window, default: []].insert(key)
        firstForgetting = min(firstForgetting ?? window, window)
    }

    private mutating func remove(_ key: DeviceKey, from window: Int64) {
        forgetting[window]?.remove(key)
        guard forgetting[window]?.isEmpty == true else { return }
        forgetting[window] = nil
        if firstForgetting == window { firstForgetting = forgetting.keys.min() }
    }

    /// Removes and returns those that are closed first, in order.
    mutating func removeFirstClosing() -> [DeviceKey] {
        guard let first = firstClosing else { return [] }
        defer { firstClosing = closing.keys.min() }
        return (closing.removeValue(forKey: first) ?? []).sorted()
    }

    /// Removes and returns those that may be forgotten first, in order.
    mutating func removeFirstForgetting() -> [DeviceKey] {
        guard let first = firstForgetting else { return [] }
        defer { firstForgetting = forgetting.keys.min() }
        return (forgetting.removeValue(forKey: first) ?? []).sorted()
    }
}
