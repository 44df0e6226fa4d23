import Events

/// When each device needs the log's time, in complete seconds. It follows from the devices.
struct SmoothingTimers: Sendable {
    private static let microsecondsPerSecond: Int64 = 1_000_000

    private var devices: [Int64: Set<DeviceKey>] = [:]
    private var seconds: [DeviceKey: Int64] = [:]
    private var firstSecond: Int64?

    /// The first of the devices that are due first.
    var firstDevice: DeviceKey? { firstSecond.flatMap { devices[$0]?.min() } }

    /// - Parameter moment: nil where the device needs no time any more.
    mutating func set(_ key: DeviceKey, at moment: Timestamp?) {
        let second = moment.map(Self.second)
        guard second != seconds[key] else { return }
        if let former = seconds[key] { remove(key, from: former) }
        seconds[key] = second
        guard let second else { return }
        devices[second, default: []].insert(key)
        firstSecond = min(firstSecond ?? second, second)
    }

    private mutating func remove(_ key: DeviceKey, from second: Int64) {
        devices[second]?.remove(key)
        guard devices[second]?.isEmpty == true else { return }
        devices[second] = nil
        if firstSecond == second { firstSecond = devices.keys.min() }
    }

    /// Removes and returns the devices of the first second, in order. Nil where it is later than
    /// the time.
    mutating func removeFirst(until moment: Timestamp) -> [DeviceKey]? {
        guard let second = firstSecond, Self.start(second) <= moment else { return nil }
        let keys = (devices.removeValue(forKey: second) ?? []).sorted()
        for key in keys { seconds[key] = nil }
        firstSecond = devices.keys.min()
        return keys
    }

    /// The first complete second that is not before the time.
    private static func second(_ moment: Timestamp) -> Int64 {
        let (second, rest) = moment.microseconds.quotientAndRemainder(
            dividingBy: microsecondsPerSecond)
        return rest > 0 ? second + 1 : second
    }

    private static func start(_ second: Int64) -> Timestamp {
        let (start, isTooFar) = second.multipliedReportingOverflow(by: microsecondsPerSecond)
        return Timestamp(microseconds: isTooFar ? (second > 0 ? .max : .min) : start)
    }
}
