public import Devices
import Positioning

/// The memory of positioners about a device as bytes, for the topic `locator-state`. All numbers
/// are little-endian.
///
/// There is an 8-bit version (1) and an 8-bit count. Each positioner, in the order of the names,
/// has its name (16-bit length and UTF-8) and the 64-bit hash of its inputs. Its state follows
/// (32-bit length and bytes).
public enum PositionerMemoryCodec {
    static let version: UInt8 = 1

    public static func encode(_ memory: PositionerMemory) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(UInt8(memory.entries.count))
        for (name, entry) in memory.entries.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.write(entry.basis)
            writer.write(UInt32(entry.state.bytes.count))
            writer.write(raw: entry.state.bytes)
        }
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> PositionerMemory {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        var entries: [String: PositionerMemory.Entry] = [:]
        for _ in 0..<(try reader.read(UInt8.self)) {
            let name = try reader.readText()
            let basis = try reader.read(UInt64.self)
            let count = try reader.readCount(bytesEach: 1)
            entries[name] = PositionerMemory.Entry(
                basis: basis, state: PositionerState(bytes: Array(try reader.readRaw(count))))
        }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        return PositionerMemory(entries: entries)
    }
}
