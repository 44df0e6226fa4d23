import Devices
import Events
import Testing
import Wire

@Suite struct DeviceVisitsCodecTests {
    private let visits = DeviceVisits(
        stays: [
            .init(
                zone: Zone(.building, ZoneID("house")), entered: Timestamp(microseconds: 5),
                lastInside: Timestamp(microseconds: 1_700_000_000_000_000), firstOutside: nil,
                scans: 100_000, probabilitySum: 99_999.5, isVisit: true),
            .init(
                zone: Zone(.room, ZoneID("S6.01")), entered: Timestamp(microseconds: -1),
                lastInside: Timestamp(microseconds: 0), firstOutside: Timestamp(microseconds: 7),
                scans: 1, probabilitySum: 0.625, isVisit: false),
        ], lastLocated: Timestamp(microseconds: 9))

    @Test("Stays are read back as they were written")
    func roundTrip() throws {
        #expect(try DeviceVisitsCodec.decode(DeviceVisitsCodec.encode(visits)) == visits)
        let none = DeviceVisits()
        #expect(try DeviceVisitsCodec.decode(DeviceVisitsCodec.encode(none)) == none)
        let steady = DeviceVisits(
            stays: Array(visits.stays.prefix(1)), lastLocated: visits.lastLocated, isSteady: true)
        #expect(try DeviceVisitsCodec.decode(DeviceVisitsCodec.encode(steady)) == steady)
    }

    @Test("Bytes of the version before have no flags, and their times do not go on")
    func former() throws {
        let bytes = [1] + DeviceVisitsCodec.encode(visits).dropFirst(2)
        #expect(try DeviceVisitsCodec.decode(bytes) == visits)
    }

    @Test("Truncated, longer, newer and inconsistent bytes are refused")
    func faults() {
        let bytes = DeviceVisitsCodec.encode(visits)
        for count in 0..<bytes.count {
            #expect(throws: BinaryFault.self) {
                try DeviceVisitsCodec.decode(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) {
            try DeviceVisitsCodec.decode(bytes + [0])
        }
        #expect(throws: BinaryFault.unknownVersion(3)) {
            try DeviceVisitsCodec.decode([3] + bytes.dropFirst())
        }
        var overfull = bytes
        overfull[10] = 17
        #expect(throws: BinaryFault.countTooLarge) { try DeviceVisitsCodec.decode(overfull) }
        var strange = bytes
        strange[11] = 7
        #expect(throws: BinaryFault.unknownKind(7)) { try DeviceVisitsCodec.decode(strange) }
    }
}
