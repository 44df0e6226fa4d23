import Events
import Geometry
import Numbers
import Positioning
import SeededRandomness
import Testing
import Wire

@Suite struct RadioMapArtifactTests {
    private let map = RadioMap(
        transmitters: [
            .wifi(HardwareAddress(value: 0x0062_ECFD_EC50)),
            .beacon(uuid: EventID(high: 5, low: 6), major: 80, minor: 3),
            .bluetooth(HardwareAddress(value: 7)), .node(ScannerID("node-7")),
        ],
        floors: [FloorID("f0"), FloorID("f1")], rooms: [RoomID("6.01")],
        places: [
            RadioMap.Place(name: "1.0,2.0", floor: 0), RadioMap.Place(name: "desk", floor: 1),
        ],
        fingerprints: [
            RadioMap.Fingerprint(
                survey: EventID(high: 1, low: 2), point: Point(x: 1, y: 2), floor: 0, room: -1,
                place: 0, walk: 0, scanner: 5),
            RadioMap.Fingerprint(
                survey: EventID(high: 1, low: 3), point: Point(x: -4.5, y: 8.25), floor: 1, room: 0,
                place: 1, walk: 1),
        ],
        readingStart: [0, 1, 4], readingTransmitter: [0, 1, 2, 3],
        readingRSSI: [-62, -71, -80, -128])

    @Test("A map is read back as it was written, and gives the same bytes again")
    func roundTrip() throws {
        let bytes = RadioMapArtifact.encode(map)
        let back = try RadioMapArtifact.decode(bytes)
        #expect(back == map)
        #expect(RadioMapArtifact.encode(back) == bytes)
        let empty = RadioMapArtifact.encode(.empty)
        #expect(try RadioMapArtifact.decode(empty) == .empty)
        #expect(empty.count == 38)
    }

    @Test("The format is that of version 2")
    func golden() {
        let bytes = RadioMapArtifact.encode(map)
        #expect(bytes.starts(with: Array("WRMAP2".utf8)))
        #expect(bytes.count == 255)
        // The FNV-1a hash over all bytes: a change of the format must change the version.
        let hash = FNV1a.hash(bytes)
        #expect(hash == 8_870_982_836_936_334_820)
    }

    @Test("Another format, version, length or order is refused")
    func faults() {
        let bytes = RadioMapArtifact.encode(map)
        func fault(_ change: (inout [UInt8]) -> Void) -> BinaryFault? {
            var changed = bytes
            change(&changed)
            do throws(BinaryFault) {
                _ = try RadioMapArtifact.decode(changed)
                return nil
            } catch { return error }
        }
        #expect(fault { $0 = [] } == .truncated)
        #expect(fault { $0[0] = 0 } == .notThisFormat)
        #expect(fault { $0[5] = UInt8(ascii: "1") } == .unknownVersion(UInt8(ascii: "1")))
        #expect(fault { $0.append(0) } == .trailingBytes(1))
        #expect(fault { $0.removeLast() } == .truncated)
        #expect(
            fault {
                $0[10] = 255
                $0[11] = 255
            } == .countTooLarge)
        #expect(fault { $0[14] = 9 } == .unknownKind(9))
        var unsorted = map
        unsorted.transmitters.swapAt(0, 1)
        #expect(throws: BinaryFault.self) {
            try RadioMapArtifact.decode(RadioMapArtifact.encode(unsorted))
        }
    }

    @Test("No garbage and no mutation crashes the reader or gives an unsound map", arguments: 0..<8)
    func fuzz(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) &+ 1)
        let bytes = RadioMapArtifact.encode(map)
        var refused = 0
        for round in 0..<1_500 {
            var mutated = bytes
            switch round % 3 {
            case 0:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<mutated.count, using: &random)
                    mutated[index] = .random(in: 0...255, using: &random)
                }
            case 1:
                mutated.removeSubrange(Int.random(in: 0..<mutated.count, using: &random)...)
            default:
                let tail = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                mutated = Array(bytes.prefix(10)) + tail
            }
            if let decoded = try? RadioMapArtifact.decode(mutated) {
                #expect(decoded.fault == nil)
            } else {
                refused += 1
            }
        }
        // The test would be worthless if every mutation were still a map.
        #expect(refused > 750)
    }

    @Test("A part is read back as it was written; another format, end or order is refused")
    func parts() throws {
        var map = map
        map.fingerprints[0].scanner = 1
        let part = RadioMapPart(
            map: map, scanners: [ScannerID("node-1"), ScannerID("node-2")],
            times: [Timestamp(microseconds: 5), Timestamp(microseconds: -6)])
        let bytes = RadioMapPartArtifact.encode(part)
        #expect(try RadioMapPartArtifact.decode(bytes) == part)
        #expect(RadioMapPartArtifact.encode(try RadioMapPartArtifact.decode(bytes)) == bytes)
        let empty = RadioMapPartArtifact.encode(.empty)
        #expect(try RadioMapPartArtifact.decode(empty) == .empty)
        // The FNV-1a hash over all bytes: a change of the format must change the version.
        #expect(FNV1a.hash(bytes) == 7_129_713_428_566_605_775)
        func isRefused(_ part: RadioMapPart) -> Bool {
            (try? RadioMapPartArtifact.decode(RadioMapPartArtifact.encode(part))) == nil
        }
        var wrong = part
        wrong.scanners.reverse()
        #expect(isRefused(wrong))
        wrong = part
        wrong.times.removeLast()
        #expect(isRefused(wrong))
        wrong = part
        wrong.map.fingerprints[0].scanner = 2
        #expect(isRefused(wrong))
        wrong = part
        wrong.map.fingerprints.swapAt(0, 1)
        #expect(isRefused(wrong))
        for count in [0, 5, 20, bytes.count - 1] {
            #expect((try? RadioMapPartArtifact.decode(Array(bytes.prefix(count)))) == nil)
        }
        #expect((try? RadioMapPartArtifact.decode(RadioMapArtifact.encode(map))) == nil)
    }
}
