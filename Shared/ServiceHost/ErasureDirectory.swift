public import EventLog
public import Events
public import ServiceRuntime
import Synchronization
public import Wire

/// The erased devices, from the topic `erasures`.
///
/// Until it has been read, nobody knows who was erased: whoever shows or takes records waits for
/// `isReady`.
public final class ErasureDirectory: Sendable {
    private let devices = Mutex<ErasedDevices?>(nil)

    /// - Parameter devices: nil where the topic still has to be read.
    public init(_ devices: ErasedDevices? = nil) { self.devices.withLock { $0 = devices } }

    public func replace(with devices: ErasedDevices) { self.devices.withLock { $0 = devices } }

    /// Whether the topic has been read to its end once.
    public var isReady: Bool { devices.withLock { $0 != nil } }

    /// Whether something of the device from this time was erased.
    public func covers(_ device: DeviceKey, at: Timestamp) -> Bool {
        devices.withLock { $0?.covers(device, at: at) ?? false }
    }

    /// Whether the record is of an erased device, from before its erasure.
    public func covers(_ record: StoredRecord) -> Bool {
        devices.withLock { $0 }?.covers(record) ?? false
    }
}

extension Host {
    /// Reads the erased devices from the log until the process ends. The process is ready when it
    /// knows them.
    public func erasureTable() -> any Component {
        let health = context.health.check("erasures")
        let kept = erasureRetention.components.seconds * 1_000_000
        let table = LogTable<ErasedDevices>(
            log: log, topic: Topic.erasures.name, initial: ErasedDevices(),
            apply: { [self] devices, record in
                if !devices.apply(record, at: now) {
                    unexpected("A record of \(record.topicPartition) is no erasure.")
                }
                // One of the two clocks may be ahead.
                let latest = min(now, Timestamp(microseconds: record.appendedAtMicroseconds))
                devices.forget(before: latest.advanced(byMicroseconds: -kept))
            },
            onChange: { [erased] in
                erased.replace(with: $0)
                health.set(.ready)
            }, notices: notices)
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
    public static func erasedDevices(
        in log: any EventLog,
        at now: Timestamp = Timestamp(microseconds: SystemTimeSource().nowMicroseconds)
    ) async throws -> ErasedDevices {
        var devices = ErasedDevices()
        try await log.readRange(log.ranges(of: [Topic.erasures.name])) { records in
            for record in records { _ = devices.apply(record, at: now) }
        }
        return devices
    }
}
