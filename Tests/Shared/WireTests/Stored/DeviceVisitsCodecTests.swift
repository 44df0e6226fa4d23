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
        #expect(throws: BinaryFault.unknownVersion(2)) {
            try DeviceVisitsCodec.decode([2] + bytes.dropFirst())
        }
        var overfull = bytes
        overfull[9] = 17
        #expect(throws: BinaryFault.countTooLarge) { try DeviceVisitsCodec.decode(overfull) }
        var strange = bytes
        strange[10] = 7
        #expect(throws: BinaryFault.unknownKind(7)) { try DeviceVisitsCodec.decode(strange) }
    }
}
