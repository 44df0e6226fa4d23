import Devices
import EventLog
import Events
import Wire

extension DeviceTable {
    /// Restores a part of a device from a record of `locator-state`; false when it can't be read.
    mutating func restore(_ record: StoredRecord) -> Bool {
        if let number = record.key.flatMap(SeenSegmentKey.number) {
            guard let value = record.value else {
                restore(removed: number)
                return true
            }
            guard let segment = try? SeenSegmentCodec.decode(value) else { return false }
            restore(
                segment, storedAt: Timestamp(microseconds: record.appendedAtMicroseconds))
            return true
        }
        guard let key = record.key.flatMap({ DeviceStateKey($0) }) else { return true }
        switch key.part {
        case .bucket(let number):
            // The old bucket is out of date, even if the new one can't be read.
            restore(removed: number, of: key.device)
            guard let value = record.value else { return true }
            guard let bucket = try? FormerBucketCodec.decode(value) else { return false }
            restore(bucket, of: key.device)
            return true
        case .memory:
            let memory = record.value.flatMap { try? PositionerMemoryCodec.decode($0) }
            restore(memory, of: key.device)
            return record.value == nil || memory != nil
        case .visits:
            let visits = record.value.flatMap { try? DeviceVisitsCodec.decode($0) }
            restore(visits, of: key.device)
            return record.value == nil || visits != nil
        case .groups:
            let groups = record.value.flatMap { try? DeviceGroupsCodec.decode($0) }
            restore(groups, of: key.device)
            return record.value == nil || groups != nil
        }
    }

    /// Adds what a record of `positions` says, for scans that no stored segment has; false when it
    /// can't be read.
    mutating func restoreLocated(_ record: StoredRecord) -> Bool {
        let appendedAt = Timestamp(microseconds: record.appendedAtMicroseconds)
        switch record.headers["ce_type"] {
        case EventType.positionEstimated.name:
            guard let position = try? PositionEstimated(record: record) else { return false }
            restore(position, appendedAt: appendedAt)
        case EventType.deviceErased.name:
            guard let erased = try? DeviceErased(record: record) else { return false }
            restore(erased: erased.key)
        default: break
        }
        return true
    }
}
