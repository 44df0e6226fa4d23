public import Devices
import Events

/// The groups of beacons that a device is in as bytes, for the topic `locator-state`. All numbers
/// are little-endian.
///
/// First come the 8-bit version (2), flags (8 bits: 1 if the times go on with the device's newest
/// scan) and an 8-bit count. Each stay has the ids of the group and of the floor (16-bit length and
/// UTF-8), then entered and last heard (64-bit microseconds). Version 1 has no flags.
public enum DeviceGroupsCodec {
    static let version: UInt8 = 2

    public static func encode(_ groups: DeviceGroups) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(version)
        writer.write(UInt8(groups.isSteady ? 1 : 0))
        writer.write(UInt8(groups.stays.count))
        for stay in groups.stays {
            writer.write(stay.group.text)
            writer.write(stay.floor.text)
            writer.write(stay.entered.microseconds)
            writer.write(stay.lastHeard.microseconds)
        }
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> DeviceGroups {
        var reader = BinaryReader(bytes)
        let version = try reader.read(UInt8.self)
        guard (1...Self.version).contains(version) else { throw .unknownVersion(version) }
        let flags = try version == 1 ? 0 : reader.read(UInt8.self)
        let count = Int(try reader.read(UInt8.self))
        guard count <= DeviceGroups.maximumStays else { throw .countTooLarge }
        var stays: [DeviceGroups.Stay] = []
        for _ in 0..<count {
            guard let group = BeaconGroupID(validating: try reader.readText()),
                let floor = FloorID(validating: try reader.readText())
            else { throw .malformedIdentifier }
            stays.append(
                DeviceGroups.Stay(
                    group: group, floor: floor,
                    entered: Timestamp(microseconds: try reader.read(Int64.self)),
                    lastHeard: Timestamp(microseconds: try reader.read(Int64.self))))
        }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        return DeviceGroups(stays: stays, isSteady: flags & 1 == 1)
    }
}
