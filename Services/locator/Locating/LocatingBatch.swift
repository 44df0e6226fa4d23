import Devices
import EventLog
import Events
import Wire

/// The outputs of a batch of one partition: events in their order, and the state of each device
/// once, however many scans it got.
struct LocatingBatch {
    private(set) var outputs = ProcessorOutputs()
    private let partition: Int
    private let source: String
    private var remembered: Set<DeviceKey> = []
    private var visiting: Set<DeviceKey> = []
    private var grouped: Set<DeviceKey> = []

    init(partition: Int, source: String) {
        self.partition = partition
        self.source = source
    }

    /// - Parameter input: the scan that led to the record.
    mutating func append(_ record: LogRecord, for input: StoredRecord) {
        outputs.append(record, for: input)
    }

    mutating func append(_ visits: [VisitEvent]) {
        for visit in visits {
            switch visit {
            case .started(let event): outputs.append(event.record(source: source), for: nil)
            case .ended(let event): outputs.append(event.record(source: source), for: nil)
            case .entered(let event): outputs.append(event.record(source: source), for: nil)
            case .left(let event): outputs.append(event.record(source: source), for: nil)
            }
        }
    }

    mutating func setAside(
        _ input: StoredRecord, code: String, detail: String, isOfSender: Bool = false
    ) {
        outputs.setAside(input, code: code, detail: detail, isOfSender: isOfSender)
    }

    /// Notes which parts of a device must be stored.
    mutating func changed(_ device: DeviceKey, _ change: DeviceChange) {
        if change.memory { remembered.insert(device) }
        if change.visits { visiting.insert(device) }
        if change.groups { grouped.insert(device) }
    }

    /// Adds tombstones for everything that is stored of a device.
    mutating func forget(_ key: DeviceKey, _ device: Device) {
        if !device.memory.entries.isEmpty { store(key, .memory, nil) }
        if !device.visits.stays.isEmpty { store(key, .visits, nil) }
        if !device.groups.stays.isEmpty { store(key, .groups, nil) }
    }

    /// Drops the batch's own records of an erased device, and passes the erasure on to those who
    /// keep its positions and visits.
    mutating func erase(_ erased: DeviceErased, _ device: Device?, to topics: [String]) {
        if let device { forget(erased.key, device) }
        for topic in topics {
            outputs.append(erased.record(topic: topic, source: source), for: nil)
        }
    }

    /// All records to append in one transaction.
    consuming func records(
        _ devices: DeviceTable, _ seen: SeenScans.Changes
    ) -> ProcessorOutputs {
        for segment in seen.written {
            store(SeenSegmentKey.bytes(segment.number), SeenSegmentCodec.encode(segment))
        }
        for number in seen.expired { store(SeenSegmentKey.bytes(number), nil) }
        for place in seen.expiredFormer { store(place.device, .bucket(place.number), nil) }
        for device in remembered {
            let memory = devices[device]?.memory
            store(
                device, .memory,
                memory.flatMap { $0.entries.isEmpty ? nil : PositionerMemoryCodec.encode($0) })
        }
        for device in visiting {
            let visits = devices[device]?.visits
            store(
                device, .visits,
                visits.flatMap { $0.stays.isEmpty ? nil : DeviceVisitsCodec.encode($0) })
        }
        for device in grouped {
            let groups = devices[device]?.groups
            store(
                device, .groups,
                groups.flatMap { $0.stays.isEmpty ? nil : DeviceGroupsCodec.encode($0) })
        }
        return outputs
    }

    private mutating func store(
        _ device: DeviceKey, _ part: DeviceStateKey.Part, _ value: [UInt8]?
    ) {
        store(DeviceStateKey(device, part).bytes, value)
    }

    private mutating func store(_ key: [UInt8], _ value: [UInt8]?) {
        outputs.append(
            LogRecord(
                topic: Topic.locatorState.name, partition: partition, key: key, value: value),
            for: nil)
    }
}
