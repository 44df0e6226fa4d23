import Devices
import Events
import Testing
import Wire

@Suite struct DeviceGroupsCodecTests {
    private let groups = DeviceGroups(
        stays: [
            .init(
                group: BeaconGroupID("hall"), floor: FloorID("south-6"),
                entered: Timestamp(microseconds: -1),
                lastHeard: Timestamp(microseconds: 1_700_000_000_000_000)),
            .init(
                group: BeaconGroupID("shop"), floor: FloorID("s"),
                entered: Timestamp(microseconds: 5), lastHeard: Timestamp(microseconds: 5)),
        ])

    @Test("Stays are read back as they were written, and the most are small")
    func roundTrip() throws {
        #expect(try DeviceGroupsCodec.decode(DeviceGroupsCodec.encode(groups)) == groups)
        let none = DeviceGroups()
        #expect(try DeviceGroupsCodec.decode(DeviceGroupsCodec.encode(none)) == none)
        let many = DeviceGroups(
            stays: (0..<DeviceGroups.maximumStays).map { number in
                .init(
                    group: BeaconGroupID("exhibition-\(number)"), floor: FloorID("south-6"),
                    entered: Timestamp(microseconds: 0), lastHeard: Timestamp(microseconds: 0))
            }, isSteady: true)
        let bytes = DeviceGroupsCodec.encode(many)
        #expect(bytes.count < 500)
        #expect(try DeviceGroupsCodec.decode(bytes) == many)
    }

    @Test("Bytes of the version before have no flags, and their times do not go on")
    func former() throws {
        let bytes = [1] + DeviceGroupsCodec.encode(groups).dropFirst(2)
        #expect(try DeviceGroupsCodec.decode(bytes) == groups)
    }

    @Test("Truncated, longer, newer and inconsistent bytes are refused")
    func faults() {
        let bytes = DeviceGroupsCodec.encode(groups)
        for count in 0..<bytes.count {
            #expect(throws: BinaryFault.self) {
                try DeviceGroupsCodec.decode(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) {
            try DeviceGroupsCodec.decode(bytes + [0])
        }
        #expect(throws: BinaryFault.unknownVersion(3)) {
            try DeviceGroupsCodec.decode([3] + bytes.dropFirst())
        }
        var overfull = bytes
        overfull[2] = UInt8(DeviceGroups.maximumStays + 1)
        #expect(throws: BinaryFault.countTooLarge) { try DeviceGroupsCodec.decode(overfull) }
        var strange = bytes
        strange[5] = UInt8(ascii: "/")
        #expect(throws: BinaryFault.malformedIdentifier) {
            try DeviceGroupsCodec.decode(strange)
        }
    }
}
