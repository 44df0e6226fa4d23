import Devices
import EventLog
import Positioning
import Wire

/// What a batch of one partition brings, collected: events in their order, and the state of each
/// device once, however many scans it got.
struct LocatingBatch {
    private(set) var outputs = ProcessorOutputs()
    private let partition: Int
    private var open: [String: DeviceHistory.Bucket] = [:]
    private var remembered: Set<String> = []
    private var visiting: Set<String> = []

    init(partition: Int) { self.partition = partition }

    /// - Parameter input: the scan that it comes of; nil where the time alone brings it.
    mutating func append(_ record: LogRecord, for input: StoredRecord? = nil) {
        outputs.append(record, for: input)
    }

    mutating func setAside(
        _ input: StoredRecord, code: String, detail: String, isOfSender: Bool = false
    ) {
        outputs.setAside(input, code: code, detail: detail, isOfSender: isOfSender)
    }

    mutating func changed(_ device: String, _ change: DeviceHistory.Change) {
        if let before = open[device], before.number != change.written.number {
            store(device, before)
        }
        open[device] = change.written
        for number in change.expired { store(device, "\(number)", nil) }
    }

    mutating func remembers(_ device: String) { remembered.insert(device) }

    mutating func visits(_ device: String) { visiting.insert(device) }

    /// Tombstones for all that is stored of a device.
    mutating func forget(_ device: String, _ state: PartitionState) {
        // What the batch has changed of it is gone too, and must not be stored after its tombstone.
        open[device] = nil
        for bucket in state.buckets(of: device) { store(device, "\(bucket.number)", nil) }
        if state.memories[device] != nil { store(device, PartitionState.statesKey, nil) }
        if state.visits[device] != nil { store(device, PartitionState.visitsKey, nil) }
    }

    /// All that is to be appended in one transaction.
    consuming func records(_ state: PartitionState) -> ProcessorOutputs {
        for (device, bucket) in open { store(device, bucket) }
        for device in remembered {
            store(
                device, PartitionState.statesKey,
                state.memories[device].map(PositionerMemoryCodec.encode))
        }
        for device in visiting {
            store(
                device, PartitionState.visitsKey,
                state.visits[device].map(DeviceVisitsCodec.encode))
        }
        return outputs
    }

    private mutating func store(_ device: String, _ bucket: DeviceHistory.Bucket) {
        store(device, "\(bucket.number)", LocatorStateCodec.encode(bucket))
    }

    private mutating func store(_ device: String, _ part: String, _ value: [UInt8]?) {
        outputs.append(
            LogRecord(
                topic: Topic.locatorState.name, partition: partition,
                key: Array("\(device)/\(part)".utf8), value: value), for: nil)
    }
}
