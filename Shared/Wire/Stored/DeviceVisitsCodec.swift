public import Devices
import Events

/// The zones that a device is in as bytes, for the topic `locator-state`. All numbers are
/// little-endian.
///
/// First come the 8-bit version (2), 8 bits of flags, the time when the device was last located
/// (64-bit microseconds) and an 8-bit count. The flag 1 says that the times go on with the device's
/// newest scan. Version 1 has no flags.
///
/// Each stay has the zone's kind (8 bits: 0 building, 1 room) and its id (16-bit length and UTF-8).
/// Entered, last inside and first outside follow (64-bit microseconds; the smallest number for
/// none). The number of scans (64 bits), the sum of the probabilities (64-bit float) and whether it
/// is a visit (8 bits) end it.
public enum DeviceVisitsCodec {
    static let version: UInt8 = 2
    private static let none = Int64.min
    /// The most scans of one stay: a thousand a second for thirty years, and far from an overflow.
    private static let mostScans: Int64 = 1 << 40

    public static func encode(_ visits: DeviceVisits) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(UInt8(visits.isSteady ? 1 : 0))
        writer.write(visits.lastLocated?.microseconds ?? none)
        writer.write(UInt8(visits.stays.count))
        for stay in visits.stays {
            writer.write(code(of: stay.zone.kind))
            writer.write(stay.zone.id.text)
            writer.write(stay.entered.microseconds)
            writer.write(stay.lastInside.microseconds)
            writer.write(stay.firstOutside?.microseconds ?? none)
            writer.write(Int64(stay.scans))
            writer.write(stay.probabilitySum)
            writer.write(UInt8(stay.isVisit ? 1 : 0))
        }
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> DeviceVisits {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard (1...Self.version).contains(version) else { throw .unknownVersion(version) }
        let flags = try version == 1 ? 0 : reader.read(UInt8.self)
        let lastLocated = try moment(&reader)
        let count = Int(try reader.read(UInt8.self))
        guard count <= DeviceVisits.maximumStays else { throw .countTooLarge }
        var stays: [DeviceVisits.Stay] = []
        for _ in 0..<count {
            let code = try reader.read(UInt8.self)
            guard let kind = ZoneKind.allCases.first(where: { Self.code(of: $0) == code }) else {
                throw .unknownKind(code)
            }
            guard let id = ZoneID(validating: try reader.readText()) else {
                throw .malformedIdentifier
            }
            guard let entered = try moment(&reader), let lastInside = try moment(&reader) else {
                throw .inconsistent("a stay without its times")
            }
            let firstOutside = try moment(&reader)
            let scans = try reader.read(Int64.self)
            guard (0...mostScans).contains(scans) else { throw .inconsistent("scans of a stay") }
            stays.append(
                DeviceVisits.Stay(
                    zone: Zone(kind, id), entered: entered,
                    lastInside: lastInside, firstOutside: firstOutside,
                    scans: Int(scans),
                    probabilitySum: try reader.readDouble(),
                    isVisit: try reader.read(UInt8.self) != 0))
        }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        guard stays.isEmpty == (lastLocated == nil) else {
            throw .inconsistent("stays and when the device was located do not fit")
        }
        return DeviceVisits(stays: stays, lastLocated: lastLocated, isSteady: flags & 1 == 1)
    }

    private static func code(of kind: ZoneKind) -> UInt8 {
        switch kind {
        case .building: 0
        case .room: 1
        case .zone: 2
        }
    }

    private static func moment(_ reader: inout BinaryReader) throws(BinaryFault) -> Timestamp? {
        let microseconds = try reader.read(Int64.self)
        return microseconds == none ? nil : Timestamp(microseconds: microseconds)
    }
}
