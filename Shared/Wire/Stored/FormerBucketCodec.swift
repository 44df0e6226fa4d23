public import Devices
import Events
import Positioning

/// A device's scans as former releases stored them in the topic `locator-state`.
///
/// Little-endian: 8-bit version (1), 32-bit number, newest scan and last arrival in 64-bit
/// microseconds, 8-bit count. Each id's 64-bit hash follows, then each content's 32-bit hash.
public enum FormerBucketCodec {
    static let version: UInt8 = 1

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> FormerBucket {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let number = try reader.read(UInt32.self)
        let newestScan = Timestamp(microseconds: try reader.read(Int64.self))
        let lastArrival = Timestamp(microseconds: try reader.read(Int64.self))
        let count = Int(try reader.read(UInt8.self))
        guard count <= FormerBucket.mostIDs else { throw .countTooLarge }
        let bucket = FormerBucket(
            number: number, newestScan: newestScan, lastArrival: lastArrival,
            idHashes: try reader.readColumn(UInt64.self, count: count),
            contentHashes: try reader.readColumn(UInt32.self, count: count))
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        return bucket
    }
}
