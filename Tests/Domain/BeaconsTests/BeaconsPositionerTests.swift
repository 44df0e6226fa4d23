import Beacons
import Devices
import Events
import Geometry
import Positioning
import SeededRandomness
import Site
import Testing
import Wire

@Suite("BeaconsPositioner") struct BeaconsPositionerTests {
    private static let site = SiteDocument(
        name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
        buildings: [
            BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
        ],
        floors: [
            FloorRecord(
                id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
        ],
        rooms: [
            RoomRecord(
                id: RoomID("west"), floor: FloorID("ground"), name: "", kind: "room",
                outline: [[0, 0], [16, 0], [16, 40], [0, 40]]),
            RoomRecord(
                id: RoomID("east"), floor: FloorID("ground"), name: "", kind: "room",
                outline: [[16, 0], [40, 0], [40, 40], [16, 40]]),
        ], locations: [])

    private func prepare(
        _ document: BeaconDocument, _ parameters: [String: String] = [:], hash: UInt64 = 1
    ) throws -> PreparedBeacons {
        var document = document
        document.floor = FloorID("ground")
        let positioner = try #require(
            BeaconsPositioner(map: try BeaconMap(document), documentHash: hash)?
                .adjusted(parameters))
        return try #require(
            positioner.prepare(.empty, site: try SiteIndex(Self.site)) as? PreparedBeacons)
    }

    private func scan(_ readings: [BluetoothReading], at seconds: Double) -> RadioScan {
        var scan = RadioScan(readings: [], at: .second(seconds))
        scan.bluetooth = readings
        return scan
    }

    @Test("The example of docs/beacons.md gives 14.50, 22, with its room and its group")
    func example() throws {
        let text = """
            {"name": "Level 6, east", "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e",
             "map": {"width": 1500, "height": 400, "unitsPerMetre": 100, "verticalAxis": "down",
                     "origin": [10, 24]}, "batteryByte": "high",
             "groups": [{"id": "hallway", "beacons": [
                {"major": 1, "minor": 1, "relative": [0.1, 0.5]},
                {"major": 1, "minor": 2, "relative": [0.4, 0.5], "name": "Door"},
                {"major": 1, "minor": 3, "absolute": [1050, 200]}]}]}
            """
        let positioner = try prepare(try BeaconDocument(json: Array(text.utf8)))
        let readings = [(1, -65), (2, -59), (3, -71)].map { minor, rssi in
            BluetoothReading(
                uuid: testRegion, major: 0x5001, minor: UInt16(minor), rssi: rssi, txPower: -59)
        }
        let (hearing, state) = positioner.hear(scan(readings, at: 0), state: .empty)
        #expect(hearing.groups == [BeaconGroupID("hallway")])
        #expect(hearing.changes.map(\.kind) == [.entered])
        #expect(hearing.heard.map(\.name) == ["Door", nil, nil])
        #expect(hearing.heard.map(\.proximity) == [.near, .near, .around])
        #expect(hearing.heard.allSatisfy { $0.batteryPercent == 80 })
        let estimate = positioner.locate(scan(readings, at: 0))
        let place = try #require(estimate.place)
        #expect(abs(place.point.x - 14.5) < 0.01 && abs(place.point.y - 22) < 1e-9)
        #expect(place.room == RoomID("west") && estimate.rooms.first?.id == RoomID("west"))
        #expect(estimate.rooms.count == 2 && estimate.state == .located)
        // Silence ends the stay in the group.
        let later = positioner.hear(scan([], at: 11), state: state)
        #expect(later.hearing.groups.isEmpty)
        #expect(later.hearing.changes.map(\.kind) == [.left])
        #expect(later.hearing.changes.first?.at == .second(10))
        #expect(positioner.locate(scan([], at: 11)) == .lost)
    }

    /// The separate parts of the domain one after another; they keep their memory by themselves.
    private struct Slow {
        let map: BeaconMap
        var pipeline: BeaconPipeline
        var presence: BeaconPresence
        var decision: ProximityDecision
        let positioning: any BeaconPositioning

        init(_ map: BeaconMap, _ byte: BatteryByte?, _ seed: Int) {
            self.map = map
            var steps: [BeaconPipeline.Step] = []
            if let byte { steps.append(.transformer(BatteryInMajor(byte: byte))) }
            steps.append(.filter(RegionFilter(map: map)))
            steps.append(.filter(ConstraintFilter(uuid: testRegion, majors: [0, 1, 2, 3])))
            switch seed % 3 {
            case 0: steps.append(.transformer(SlidingWindow()))
            case 1: steps.append(.transformer(KalmanSmoother(pathLoss: map.pathLoss)))
            default: break
            }
            pipeline = BeaconPipeline(steps)
            presence = BeaconPresence(map: map)
            decision = ProximityDecision(map: map)
            positioning =
                [
                    AveragePositioning() as any BeaconPositioning, WeightedAveragePositioning(),
                    CountDividedAveragePositioning(), LinearPositioning(map: map),
                    CombinedPositioning(map: map),
                ][seed % 5]
        }

        static func parameters(_ seed: Int) -> [String: String] {
            [
                "smoothing": ["window", "kalman", "off"][seed % 3], "majors": "0+1+2+3",
                "method": ["average", "weighted-average", "count-divided", "linear", "combined"][
                    seed % 5], "farthest": "9",
            ]
        }

        mutating func hear(
            _ readings: [BluetoothReading], at: Timestamp
        ) -> (BeaconPosition?, [BeaconGroupChange], [BeaconIndex: Proximity]) {
            let ranged = readings.compactMap {
                RangedBeacon($0, at: at, pathLoss: map.pathLoss)
            }
            let smoothed = pipeline.process(ranged)
            let changes = presence.hear(smoothed, at: at)
            var proximities: [BeaconIndex: Proximity] = [:]
            for beacon in smoothed {
                guard let index = map.beacon(beacon.identity) else { continue }
                proximities[index] = decision.decide(beacon)
            }
            let near = smoothed.filter { DistanceFilter(farthestMetres: 9).admits($0) }
            return (positioning.position(of: map.sightings(of: near)), changes, proximities)
        }
    }

    @Test(
        "From a stored state it continues like the separate parts that are never stored",
        arguments: 0..<60)
    func likeSlow(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        var document = random.document()
        document.batteryByte = seed % 4 == 0 ? .low : nil
        if document.batteryByte != nil, (try? BeaconMap(document)) == nil { return }
        let map = try BeaconMap(document)
        var slow = Slow(map, document.batteryByte, seed)
        let positioner = try prepare(document, Slow.parameters(seed))
        var state = PositionerState.empty
        var seconds = 0.0
        for _ in 0..<60 {
            // The silences are long enough to end a stay, to end a smoothing, or for neither.
            seconds += [0.5, 2, 9, 12, 40][Int.random(in: 0...4, using: &random.random)]
            let readings = random.heard(at: .second(seconds)).map { beacon in
                BluetoothReading(
                    uuid: beacon.identity.uuid,
                    major: document.batteryByte == nil
                        ? beacon.identity.major : beacon.identity.major << 8 | 50,
                    minor: beacon.identity.minor, rssi: Int(beacon.rssi),
                    txPower: beacon.identity.minor % 2 == 0 ? -61 : nil)
            }
            let (hearing, after) = positioner.hear(scan(readings, at: seconds), state: state)
            let expected = slow.hear(readings, at: .second(seconds))
            #expect(hearing.position == expected.0)
            #expect(hearing.groups == slow.presence.groups.map { map.groups[$0.value].id })
            #expect(hearing.changes.map(\.kind) == expected.1.map(\.kind))
            #expect(hearing.changes.map(\.at) == expected.1.map(\.at))
            #expect(
                Dictionary(uniqueKeysWithValues: hearing.heard.map { ($0.beacon, $0.proximity) })
                    == expected.2)
            state = after
        }
    }

    @Test(
        "States stay small among many beacons; damaged or foreign bytes count as no state"
    )
    func states() throws {
        let crowd = document([(0..<900).map { (Double($0), 1) }])
        for smoothing in ["window", "kalman", "off"] {
            let positioner = try prepare(crowd, ["smoothing": smoothing, "window": "10"])
            var state = PositionerState.empty
            let readings = (0..<900).map {
                BluetoothReading(uuid: testRegion, major: 1, minor: UInt16($0), rssi: -70)
            }
            for second in 0..<12 {
                state = positioner.hear(scan(readings, at: Double(second)), state: state).state
            }
            #expect((1...PositionerMemory.maximumStateBytes).contains(state.bytes.count))
            let fresh = positioner.hear(scan(readings, at: 13), state: .empty)
            for cut in stride(from: 0, to: state.bytes.count, by: 97) {
                let spoilt = PositionerState(bytes: Array(state.bytes.prefix(cut)))
                let heard = positioner.hear(scan(readings, at: 13), state: spoilt)
                #expect(heard.state == fresh.state)
            }
            let other = try prepare(crowd, ["smoothing": smoothing, "window": "10"], hash: 2)
            let heard = other.hear(scan(readings, at: 13), state: state)
            #expect(heard.hearing.changes.map(\.kind) == [.entered])
            #expect(positioner.hear(scan(readings, at: 13), state: state).hearing.changes.isEmpty)
            // Beacons that were silent for long are not stored.
            #expect(positioner.hear(scan([], at: 99), state: state).state == .empty)
        }
    }

    @Test("By a site's beacons the floor is found though one beacon was carried upstairs")
    func floors() throws {
        var document = Self.site
        document.floors.append(
            FloorRecord(
                id: FloorID("upper"), building: document.buildings[0].id, ordinal: 9, level: "9"))
        for (index, floor) in ["ground", "upper"].enumerated() {
            for minor in 0..<3 {
                document.beacons.append(
                    SiteBeacon(
                        id: BeaconID("\(floor)-\(minor)"), floor: FloorID(floor),
                        point: Point(x: Double(5 * minor), y: 2),
                        uuid: index == 0 ? testRegion : otherRegion, major: 1, minor: minor,
                        txPower: -59, batteryByte: index == 0 ? .low : nil,
                        group: BeaconGroupID(floor), orderInGroup: minor))
            }
        }
        let positioner = try #require(
            BeaconsPositioner().adjusted(["smoothing": "off"])?
                .prepare(.empty, site: try SiteIndex(document)) as? PreparedBeacons)
        func reading(_ floor: Int, _ minor: Int, _ rssi: Int) -> BluetoothReading {
            BluetoothReading(
                uuid: floor == 0 ? testRegion : otherRegion,
                major: floor == 0 ? UInt16(1 << 8 | (80 - minor)) : 1, minor: UInt16(minor),
                rssi: rssi)
        }
        // The first beacon of the ground floor lies beside the device.
        let heard = scan(
            [
                reading(0, 0, -60), reading(0, 1, -85), reading(1, 0, -75), reading(1, 1, -66),
                reading(1, 2, -72),
            ], at: 0)
        let hearing = positioner.hear(heard, state: .empty).hearing
        #expect(hearing.floor == FloorID("upper"))
        #expect(hearing.groups == [BeaconGroupID("ground"), BeaconGroupID("upper")])
        #expect(hearing.heard.first?.batteryPercent == 80)
        #expect(positioner.locate(heard).place?.floor == FloorID("upper"))
        #expect(positioner.uses(.beacon(uuid: testRegion, major: 1, minor: 2)))
        #expect(!positioner.uses(.beacon(uuid: testRegion, major: 2, minor: 2)))
    }
}
