public import Devices
public import Events
internal import JSON
import Positioning

/// The state of a device that is stored nowhere. `POST /v1/locate` gives it to the asker, sealed,
/// as the member `memory`, and takes it back with the next scan.
public enum LocateMemory {
    /// The largest sealed state, in bytes. The states of positioners that do not fit are left out,
    /// so that these begin anew with the next scan.
    public static let mostBytes = 6_144
    private static let version: UInt8 = 1

    /// The sealed bytes in the body of a request; empty for a first scan (`""`), and nil for an
    /// asker who wants no state.
    public static func sealed(inRequest body: [UInt8]) throws(WireFault) -> [UInt8]? {
        try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object, let value = FieldReader(object).optional("memory")
            else { return nil }
            let bytes = try value.base64()
            guard bytes.count <= mostBytes else {
                throw value.fault(
                    .fieldOutOfRange, "send the memory of the last answer as it was")
            }
            return bytes
        }
    }

    /// The position as JSON, with the sealed state for the next scan.
    ///
    /// - Parameter leftOut: the positioners whose states are not in it.
    public static func json(
        _ position: PositionEstimated, sealed: [UInt8], leftOut: [String] = []
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024 + 2 * sealed.count)
        writer.beginObject()
        position.writeMembers(to: &writer)
        writer.name("memory")
        writer.base64(sealed)
        writer.name("memoryLeftOut")
        writer.beginArray()
        for name in leftOut { writer.string(name) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// The state of a device without its zones: an 8-bit version, two 64-bit times in microseconds
    /// UTC, little-endian, and the memory of positioners.
    static func encode(_ device: Device) -> [UInt8] {
        guard let times = device.times else { return [] }
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(UInt64(bitPattern: times.newestScan.microseconds))
        writer.write(UInt64(bitPattern: times.lastArrival.microseconds))
        writer.write(raw: PositionerMemoryCodec.encode(device.memory))
        return writer.bytes
    }

    /// The state of a device, sealed, without the largest states of positioners that do not fit.
    ///
    /// - Parameter seal: nil for a state that is too large.
    /// - Returns: the sealed state, and the sorted names of the positioners that are left out.
    public static func sealed(
        _ device: Device, by seal: ([UInt8]) -> [UInt8]?
    ) -> (bytes: [UInt8], leftOut: [String]) {
        var entries = device.memory.entries
        var leftOut: [String] = []
        while true {
            let kept = Device(times: device.times, memory: PositionerMemory(entries: entries))
            if let bytes = seal(encode(kept)) { return (bytes, leftOut.sorted()) }
            let largest = entries.max {
                ($0.value.state.bytes.count, $0.key) < ($1.value.state.bytes.count, $1.key)
            }
            guard let largest else { return ([], leftOut.sorted()) }
            entries[largest.key] = nil
            leftOut.append(largest.key)
        }
    }

    /// A new device where the bytes are empty, or of another version.
    public static func decode(_ bytes: [UInt8]) -> Device {
        var reader = BinaryReader(bytes)
        guard let version = try? reader.read(UInt8.self), version == Self.version,
            let newest = try? reader.read(UInt64.self),
            let arrival = try? reader.read(UInt64.self),
            let rest = try? reader.readRaw(reader.left),
            let memory = try? PositionerMemoryCodec.decode(Array(rest))
        else { return Device() }
        return Device(
            times: DeviceTimes(
                newestScan: Timestamp(microseconds: Int64(bitPattern: newest)),
                lastArrival: Timestamp(microseconds: Int64(bitPattern: arrival))),
            memory: memory)
    }
}
