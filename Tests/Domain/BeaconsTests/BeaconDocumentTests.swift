import Beacons
import Events
import Foundation
import Geometry
import Repository
import Site
import Testing
import Wire

@Suite("BeaconDocument as JSON") struct BeaconDocumentTests {
    private func fault(_ text: String) -> WireFault? {
        do throws(WireFault) {
            _ = try BeaconDocument(json: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private static let map = #""map": {"width": 10, "height": 5, "unitsPerMetre": 1}"#
    private static let uuid = #""uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e""#

    @Test("A document that is written as JSON is read back as the same one", arguments: 0..<30)
    func roundTrip(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        var document = random.document()
        document.floor = FloorID("f-6")
        document.batteryByte = seed % 3 == 0 ? nil : seed % 3 == 1 ? .low : .high
        document.proximity = ProximityThresholds(nearDecibels: 4.5, farDecibels: 31)
        document.groups[0].name = "East \"wing\""
        let thresholds = ProximityThresholds(nearDecibels: 1, farDecibels: 9)
        document.groups[0].beacons.append(
            BeaconRecord(
                major: 65_535, minor: 0, name: "door", place: .relative(x: 0.1, y: 1),
                proximity: thresholds))
        #expect(try BeaconDocument(json: document.json) == document)
    }

    @Test("Members that are left out get their defaults")
    func usual() throws {
        let text = #"{"name": "F", \#(Self.uuid), \#(Self.map)}"#
        let document = try BeaconDocument(json: Array(text.utf8))
        #expect(
            document
                == BeaconDocument(
                    name: "F", uuid: testRegion,
                    map: BeaconMapRecord(width: 10, height: 5, unitsPerMetre: 1)))
    }

    @Test(
        "A fault names the field",
        arguments: [
            ("[]", "not-an-object", ""), ("{", "truncated", ""),
            (#"{"name": "F"}"#, "field-missing", "uuid"),
            (#"{"name": "F", "uuid": "f7"}"#, "uuid-malformed", "uuid"),
            (#"{"name": "F", \#(uuid)}"#, "field-missing", "map"),
            (#"{"name": "F", \#(uuid), "map": {}}"#, "field-missing", "map.width"),
            (with(#""batteryByte": "middle""#), "field-out-of-range", "batteryByte"),
            (with(#""batteryBite": "low""#), "field-unknown", "batteryBite"),
            (with(#""pathLoss": {"exponents": 2}"#), "field-unknown", "pathLoss.exponents"),
            (with(#""proximity": {"near": 2}"#), "field-unknown", "proximity.near"),
            (with(#""groups": [{"id": "a", "rings": true}]"#), "field-unknown", "groups[0].rings"),
            (
                with(
                    #""groups": [{"id": "a", "beacons": [{"relative": [0, 0], "minorr": 9}]}]"#),
                "field-unknown", "minorr"
            ),
            (with(#""proximity": {"nearDecibels": 3}"#), "field-missing", "proximity.farDecibels"),
            (with(#""groups": [{"id": "a b"}]"#), "identifier-malformed", "groups[0].id"),
            (with(#""groups": [{"id": "a", "ring": 1}]"#), "field-wrong-type", "groups[0].ring"),
            (beacon(#""minor": 65536, "relative": [0, 0]"#), "field-out-of-range", "minor"),
            (beacon(#""minor": 1"#), "place-missing", ""),
            (beacon(#""relative": [0, 0], "absolute": [0, 0]"#), "place-malformed", ""),
            (beacon(#""relative": [0]"#), "place-malformed", "relative"),
            (beacon(#""absolute": [0, "1"]"#), "field-wrong-type", "absolute[1]"),
        ])
    func faults(text: String, code: String, path: String) {
        let found = fault(text)
        let isBeacon = text.contains("beacons")
        let member = path.isEmpty ? "" : ".\(path)"
        #expect(found?.code.text == code)
        #expect(found?.path == (isBeacon ? "groups[0].beacons[0]\(member)" : path))
    }

    private static func with(_ member: String) -> String {
        #"{"name": "F", \#(uuid), \#(map), \#(member)}"#
    }

    private static func beacon(_ members: String) -> String {
        with(#""groups": [{"id": "g", "beacons": [{\#(members)}]}]"#)
    }

    @Test("A document above the size limit is refused unread")
    func size() {
        let spaces = String(repeating: " ", count: BeaconLimits.documentBytes)
        #expect(fault("{}" + spaces)?.code == .bodyTooLarge)
    }

    @Test("A document with changed bytes is either refused or usable", arguments: 0..<100)
    func spoilt(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        let document = random.document()
        var bytes = document.json
        for _ in 0..<Int.random(in: 1...3, using: &random.random) {
            let place = Int.random(in: 0..<bytes.count, using: &random.random)
            // Most bytes are characters of JSON's syntax, so that many documents remain readable.
            let byte = Array("0123456789-.e\",:[]{}x".utf8).randomElement(using: &random.random)!
            bytes[place] = byte
        }
        guard let read = try? BeaconDocument(json: bytes), let map = try? BeaconMap(read) else {
            return
        }
        let sightings = map.sightings(of: random.heard())
        let position = CombinedPositioning(map: map).position(of: sightings)
        #expect((position == nil) == sightings.isEmpty)
        #expect(position?.centre.isFinite != false)
        for beacon in map.beacons { #expect(beacon.point.isFinite) }
    }

    @Test("The example of docs/beacons.md is valid and matches the page's description")
    func example() throws {
        let page = try String(
            contentsOf: repository.appending(path: "docs/beacons.md"), encoding: .utf8)
        let examples = page.matches(of: /```json\n([\s\S]*?)```/)
        #expect(examples.count == 1)
        let document = try BeaconDocument(json: Array(try #require(examples.first).1.utf8))
        let map = try BeaconMap(document)
        #expect(map.beacons.map(\.isEnabled) == [true, true, true, true, false])
        // The page's table has group, beacon and place in metres.
        let rows = page.matches(of: /\| (\S+) \| ([\d*]+) \/ ([\d*]+) \| ([\d.]+), ([\d.]+) \|/)
        #expect(rows.count == map.beacons.count)
        for (row, beacon) in zip(rows, map.beacons) {
            #expect(map.groups[beacon.group.value].id.text == row.1)
            #expect((beacon.record.major.map { "\($0)" } ?? "*") == row.2)
            #expect((beacon.record.minor.map { "\($0)" } ?? "*") == row.3)
            let place = Point(x: try #require(Double(row.4)), y: try #require(Double(row.5)))
            #expect(beacon.point.distance(to: place) < 1e-9)
        }
        // The page's scan goes through all steps, from readings to a place.
        let heard = [(0x5001, 1, -65), (0x5001, 2, -59), (0x5001, 3, -71)].compactMap {
            RangedBeacon(
                BluetoothReading(
                    uuid: document.uuid, major: $0.0, minor: $0.1, rssi: $0.2, txPower: -59),
                at: .second(0), pathLoss: document.pathLoss)
        }
        var pipeline = BeaconPipeline([
            .transformer(BatteryInMajor(byte: try #require(document.batteryByte))),
            .filter(RegionFilter(map: map)),
        ])
        let ranged = pipeline.process(heard)
        #expect(ranged.map(\.batteryPercent) == [80, 80, 80])
        let position = CombinedPositioning(map: map).position(of: map.sightings(of: ranged))
        let said = try #require(page.firstMatch(of: /position is ([\d.]+), ([\d.]+)/))
        let place = Point(x: try #require(Double(said.1)), y: try #require(Double(said.2)))
        #expect(position.map { $0.centre.distance(to: place) < 0.005 } == true)
    }
}
