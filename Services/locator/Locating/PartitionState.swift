import Devices
import EventLog
import Positioning
import Wire

/// What is known of the devices of one partition: what `locator-state` says, and memory to reuse.
///
/// Keys of its records are `site/device/number` for buckets of the device's history,
/// `site/device/states` for what positioners remember of it and `site/device/visits` for the zones
/// that it is in.
struct PartitionState: Sendable {
    var histories: [String: DeviceHistory] = [:]
    /// Buckets as they are read back, until the first scan of the device needs its history.
    var stored: [String: [DeviceHistory.Bucket]] = [:]
    /// Of devices of which any positioner remembers anything.
    var memories: [String: PositionerMemory] = [:]
    /// Of devices that are in any zone.
    var visits: [String: DeviceVisits] = [:]
    /// One for each positioner.
    var scratch: [PositionerScratch] = []
    /// When idle devices were last looked for, in the log's time.
    var sweptAtMicroseconds: Int64 = 0
    /// When ends of visits were last looked for, in the log's time.
    var visitsEndedAtMicroseconds: Int64 = 0

    static let statesKey = "states"
    static let visitsKey = "visits"

    var devices: Set<String> {
        Set(histories.keys).union(stored.keys).union(memories.keys).union(visits.keys)
    }

    func buckets(of device: String) -> [DeviceHistory.Bucket] {
        histories[device]?.buckets ?? stored[device] ?? []
    }

    mutating func forget(_ device: String) {
        histories[device] = nil
        stored[device] = nil
        memories[device] = nil
        visits[device] = nil
    }

    /// The device's history, taken out so that it is changed in place.
    mutating func takeHistory(_ device: String) -> DeviceHistory {
        if let history = histories.removeValue(forKey: device) { return history }
        guard let buckets = stored.removeValue(forKey: device) else { return DeviceHistory() }
        return DeviceHistory(buckets: buckets)
    }

    /// Takes one record of `locator-state` in; false when it can't be read.
    mutating func restore(_ record: StoredRecord) -> Bool {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }),
            let slash = key.lastIndex(of: "/")
        else { return true }
        let device = String(key[..<slash])
        switch String(key[key.index(after: slash)...]) {
        case Self.statesKey:
            memories[device] = record.value.flatMap { try? PositionerMemoryCodec.decode($0) }
            return record.value == nil || memories[device] != nil
        case Self.visitsKey:
            visits[device] = record.value.flatMap { try? DeviceVisitsCodec.decode($0) }
            return record.value == nil || visits[device] != nil
        case let part:
            // A later program may keep more; it is none of this one's.
            return UInt32(part).map { restore($0, of: device, record.value) } ?? true
        }
    }

    private mutating func restore(_ number: UInt32, of device: String, _ value: [UInt8]?) -> Bool {
        // Of two with one number the later in the log holds.
        stored[device]?.removeAll { $0.number == number }
        guard let value else { return true }
        guard let bucket = try? LocatorStateCodec.decode(value) else { return false }
        stored[device, default: []].append(bucket)
        return true
    }
}
