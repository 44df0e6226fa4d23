public import EventLog
public import Events
public import ServiceRuntime
import Synchronization
public import Wire

/// The erased devices, from the topic `erasures`.
public final class ErasureDirectory: Sendable {
    private let devices = Mutex(ErasedDevices())

    public init() {}

    func replace(with devices: ErasedDevices) { self.devices.withLock { $0 = devices } }

    /// Whether something of the device from this time was erased.
    public func covers(_ device: DeviceKey, at: Timestamp) -> Bool {
        devices.withLock { $0.covers(device, at: at) }
    }

    /// Whether the record is of an erased device, from before its erasure.
    public func covers(_ record: StoredRecord) -> Bool {
        devices.withLock { $0 }.covers(record)
    }
}

extension Host {
    /// Reads the erased devices from the log until the process ends.
    public func erasureTable() -> any Component {
        let table = LogTable<ErasedDevices>(
            log: log, topic: Topic.erasures.name, initial: ErasedDevices(),
            apply: { [self] devices, record in
                if !devices.apply(record) {
                    unexpected("A record of \(record.topicPartition) is no erasure.")
                }
            }, onChange: { [erased] in erased.replace(with: $0) }, notices: notices)
        return loop("erased devices") { await table.run() }
    }

    /// The time for which erasures are kept: longer than anything that they could erase.
    public var erasureRetention: Duration {
        let specifications = topicSpecifications(configuration)
        guard
            case .delete(let age)? = specifications.first(where: {
                $0.name == Topic.erasures.name
            })?.cleanup
        else { preconditionFailure("erasures are deleted by age") }
        return age
    }

    /// The erased devices, for a command that reads other topics next.
    public static func erasedDevices(in log: any EventLog) async throws -> ErasedDevices {
        var devices = ErasedDevices()
        try await log.readRange(log.ranges(of: [Topic.erasures.name])) { records in
            for record in records { _ = devices.apply(record) }
        }
        return devices
    }
}
