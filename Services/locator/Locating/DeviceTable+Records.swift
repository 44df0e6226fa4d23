import Devices
import EventLog
import Wire

extension DeviceTable {
    /// Restores a part of a device from a record of `locator-state`; false when it can't be read.
    mutating func restore(_ record: StoredRecord) -> Bool {
        guard let key = record.key.flatMap({ DeviceStateKey($0) }) else { return true }
        switch key.part {
        case .bucket(let number):
            // The old bucket is out of date, even if the new one can't be read.
            restore(removed: number, of: key.device)
            guard let value = record.value else { return true }
            guard let bucket = try? LocatorStateCodec.decode(value) else { return false }
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
        }
    }
}
