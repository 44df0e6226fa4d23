public import Events
public import Sightings

/// The key of a record of `sighting-windows`: `site/device` for a device, and `~time` for the log's
/// time in the partition. No site's id begins with `~`.
public enum SightingStateKey {
    public static let time = Array("~time".utf8)

    public static func bytes(_ device: DeviceKey) -> [UInt8] {
        RecordKey.bytes(device.site, device.device)
    }
}

/// The memory of a device while its sightings are joined, as bytes for the topic
/// `sighting-windows`. All numbers are little-endian.
///
/// First come the 8-bit version (1) and the length of a window (64-bit microseconds). The newest
/// closed window follows (64 bits; the smallest number for none). If there is one, the bits of all
/// closed windows come next: as many 64-bit words as follow from the length of a window. The 16-bit
/// count of open windows ends this part.
///
/// An open window has its number and that of the window with which it is closed (64 bits each).
/// The times of its latest report and of its last arrival follow (64-bit microseconds), and the
/// 8-bit count of readings.
///
/// A reading has the node's id (16-bit length and UTF-8) and the strength (8 bits). The next 8 bits
/// tell whether a distance follows: metres and deviation (64-bit floats).
public enum SightingStateCodec {
    static let version: UInt8 = 1
    private static let none = Int64.min

    public static func encode(_ heard: HeardSightings, windowMicroseconds: Int64) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(windowMicroseconds)
        writer.write(heard.closed?.newest ?? none)
        for word in heard.closed?.bits ?? [] { writer.write(word) }
        writer.write(UInt16(heard.open.count))
        for window in heard.open { write(window, to: &writer) }
        return writer.bytes
    }

    private static func write(_ window: SightingWindow, to writer: inout BinaryWriter) {
        writer.write(window.number)
        writer.write(window.closesWith)
        writer.write(window.at.microseconds)
        writer.write(window.receivedAt.microseconds)
        writer.write(UInt8(window.readings.count))
        for reading in window.readings {
            writer.write(reading.scanner.text)
            writer.write(Int8(clamping: reading.rssi))
            writer.write(UInt8(reading.distance == nil ? 0 : 1))
            guard let distance = reading.distance else { continue }
            writer.write(distance.metres)
            writer.write(distance.deviation)
        }
    }

    /// - Returns: nil for windows of another length, which nothing can be added to.
    public static func decode(
        _ bytes: [UInt8], windowMicroseconds: Int64
    ) throws(BinaryFault) -> HeardSightings? {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        guard try reader.read(Int64.self) == windowMicroseconds else { return nil }
        let newest = try reader.read(Int64.self)
        var closed: ClosedWindows?
        if newest != none {
            var bits: [UInt64] = []
            for _ in 0..<ClosedWindows.words(windowMicroseconds: windowMicroseconds) {
                bits.append(try reader.read(UInt64.self))
            }
            closed = ClosedWindows(newest: newest, bits: bits)
        }
        let count = Int(try reader.read(UInt16.self))
        var open: [SightingWindow] = []
        for _ in 0..<count {
            let window = try window(&reader)
            guard open.last.map({ $0.number < window.number }) ?? true else {
                throw .inconsistent("windows are not in order")
            }
            open.append(window)
        }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        return HeardSightings(open: open, closed: closed)
    }

    private static func window(_ reader: inout BinaryReader) throws(BinaryFault) -> SightingWindow {
        let number = try reader.read(Int64.self)
        let closesWith = try reader.read(Int64.self)
        let at = Timestamp(microseconds: try reader.read(Int64.self))
        let receivedAt = Timestamp(microseconds: try reader.read(Int64.self))
        let count = Int(try reader.read(UInt8.self))
        guard count > 0, closesWith >= number else { throw .inconsistent("an open window") }
        var readings: [NodeReading] = []
        for _ in 0..<count {
            guard let scanner = ScannerID(validating: try reader.readText()) else {
                throw .malformedIdentifier
            }
            let rssi = Int(try reader.read(Int8.self))
            let hasDistance = try reader.read(UInt8.self) != 0
            let distance =
                hasDistance
                ? MeasuredDistance(
                    metres: try reader.readDouble(), deviation: try reader.readDouble()) : nil
            readings.append(NodeReading(scanner: scanner, rssi: rssi, distance: distance))
        }
        return SightingWindow(
            number: number, closesWith: closesWith, readings: readings, at: at,
            receivedAt: receivedAt)
    }

    /// The log's time of a partition: 64-bit microseconds.
    public static func encode(time: Timestamp) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(time.microseconds)
        return writer.bytes
    }

    public static func decodeTime(_ bytes: [UInt8]) throws(BinaryFault) -> Timestamp {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        let time = Timestamp(microseconds: try reader.read(Int64.self))
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        return time
    }
}
