public import Devices
import Events

/// A segment of seen scans as bytes, for the topic `locator-state`.
///
/// Little-endian: 8-bit version (2), 32-bit number, time of the newest append in 64-bit
/// microseconds, 32-bit counts of ids and of devices. Four columns follow: each id's 64-bit hash,
/// each content's 32-bit hash, each device's 64-bit hash, and each device's newest scan. The last
/// is a 32-bit number of milliseconds before that append's, 49 days at most. Times of scans are
/// whole milliseconds, so a locator that takes over has the same ones.
public enum SeenSegmentCodec {
    static let version: UInt8 = 2

    public static func encode(_ segment: SeenSegment) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(segment.number)
        writer.write(segment.lastAppended.microseconds)
        writer.write(UInt32(segment.idHashes.count))
        writer.write(UInt32(segment.deviceHashes.count))
        writer.write(column: segment.idHashes)
        writer.write(column: segment.contentHashes)
        writer.write(column: segment.deviceHashes)
        writer.write(column: segment.newestScans.map { age(of: $0, in: segment) })
        return writer.bytes
    }

    private static func age(of scan: Timestamp, in segment: SeenSegment) -> UInt32 {
        UInt32(clamping: segment.lastAppended.milliseconds - scan.milliseconds)
    }

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> SeenSegment {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let number = try reader.read(UInt32.self)
        let lastAppended = Timestamp(microseconds: try reader.read(Int64.self))
        let ids = Int(try reader.read(UInt32.self))
        let devices = Int(try reader.read(UInt32.self))
        guard ids <= reader.left / 12, devices <= reader.left / 12 else { throw .countTooLarge }
        let segment = SeenSegment(
            number: number, lastAppended: lastAppended,
            idHashes: try reader.readColumn(UInt64.self, count: ids),
            contentHashes: try reader.readColumn(UInt32.self, count: ids),
            deviceHashes: try reader.readColumn(UInt64.self, count: devices),
            newestScans: try reader.readColumn(UInt32.self, count: devices).map {
                Timestamp(milliseconds: lastAppended.milliseconds - Int64($0))
            })
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        guard !segment.idHashes.contains(0) else { throw .inconsistent("an id is zero") }
        return segment
    }
}
