import Events
public import Smoothing

/// The key of a record of `smoothing-windows`: `site/device/position`.
public enum SmoothingStateKey {
    public static func bytes(_ place: SmoothingPlace) -> [UInt8] {
        RecordKey.bytes(place.device.site, place.device.device)
            + Array("/\(place.position)".utf8)
    }

    /// Nil for any other key.
    public static func place(_ key: [UInt8]) -> SmoothingPlace? {
        guard let slash = key.lastIndex(of: UInt8(ascii: "/")),
            let device = DeviceKey(recordKey: Array(key[..<slash])),
            let position = EventID(String(decoding: key[(slash + 1)...], as: UTF8.self))
        else { return nil }
        return SmoothingPlace(device, position)
    }
}

/// A position in the window of its device, as bytes for the topic `smoothing-windows`.
///
/// First come the 8-bit version (1), and 8 bits that tell whether the position was given out. The
/// time at which the log received it is next (64-bit microseconds, little-endian). The event's JSON
/// follows.
public enum SmoothingStateCodec {
    static let version: UInt8 = 1

    public static func encode(_ entry: SmoothingEntry) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(UInt8(entry.isGivenOut ? 1 : 0))
        writer.write(entry.appendedAt.microseconds)
        writer.write(raw: entry.position.json)
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> SmoothingEntry {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let isGivenOut = try reader.read(UInt8.self) != 0
        let appendedAt = Timestamp(microseconds: try reader.read(Int64.self))
        let json = Array(try reader.readRaw(reader.left))
        guard let position = try? PositionEstimated(json: json) else {
            throw .inconsistent("a position")
        }
        return SmoothingEntry(position, appendedAt: appendedAt, isGivenOut: isGivenOut)
    }
}
