import Devices
import EventLog
import Wire

extension DeviceTable {
    /// Takes one record of `locator-state` in; false when it can't be read.
    mutating func restore(_ record: StoredRecord) -> Bool {
        guard let key = record.key.flatMap({ DeviceStateKey($0) }) else { return true }
        switch key.part {
        case .bucket(let number):
            // What is there of the bucket no longer holds, whether the new one can be read or not.
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
