import Beacons
import Events
import Geometry
import Site
import Testing

@Suite("BeaconMap") struct BeaconMapTests {
    @Test("Relative and absolute places and the scale agree")
    func places() throws {
        var document = document([])
        // A hallway of 15 m on a map of 1,500 pixels (Flair 4.1.4).
        document.map = BeaconMapRecord(
            width: 1_500, height: 400, unitsPerMetre: 100, originX: 10, originY: 20)
        document.groups = [
            BeaconGroupRecord(
                id: BeaconGroupID("g"),
                beacons: [
                    BeaconRecord(major: 1, minor: 1, place: .relative(x: 0.5, y: 0.25)),
                    BeaconRecord(major: 1, minor: 2, place: .absolute(x: 750, y: 100)),
                ])
        ]
        let map = try BeaconMap(document)
        #expect(map.beacons.map(\.point) == [Point(x: 17.5, y: 21), Point(x: 17.5, y: 21)])
        document.map.verticalAxis = .down
        let down = try BeaconMap(document)
        #expect(down.beacons.map(\.point) == [Point(x: 17.5, y: 19), Point(x: 17.5, y: 19)])
    }

    @Test("Lookup finds the same beacon as a search through all", arguments: 0..<60)
    func lookup(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        let document = random.document()
        let map = try BeaconMap(document)
        for heard in random.heard() + random.heard() {
            let found = map.beacon(heard.identity)
            let slow = slowBeacon(heard.identity, in: document)
            #expect(found.map { map[$0].group.value } == slow?.group)
            guard let found, let slow else { continue }
            #expect(map[found].record == document.groups[slow.group].beacons[slow.place])
            #expect(map[found].isEnabled == document.isEnabled(slow))
            #expect(map.beacons(of: map[found].group)[slow.place] == found)
        }
    }

    @Test(
        "Sightings are the least distance of each enabled beacon, nearest first", arguments: 0..<60)
    func sightings(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        let document = random.document()
        let map = try BeaconMap(document)
        let heard = random.heard() + random.heard()
        let sightings = map.sightings(of: heard)
        var slow: [BeaconIndex: Double] = [:]
        for ranged in heard {
            guard let found = slowBeacon(ranged.identity, in: document), document.isEnabled(found)
            else { continue }
            let index = map.beacons(of: BeaconGroupIndex(found.group))[found.place]
            slow[index] = min(slow[index] ?? 1e9, ranged.distanceMetres)
        }
        #expect(sightings.count == slow.count)
        for sighting in sightings { #expect(slow[sighting.beacon] == sighting.distanceMetres) }
        #expect(sightings == sightings.sorted { $0.distanceMetres < $1.distanceMetres })
    }

    @Test("The power at one metre means one metre, and 20 dB less ten metres in free space")
    func pathLoss() {
        let reading = BluetoothReading(
            uuid: testRegion, major: 1, minor: 2, rssi: -79, txPower: -59)
        let ranged = RangedBeacon(reading, at: .second(0), pathLoss: PathLoss())
        #expect(abs((ranged?.distanceMetres ?? 0) - 10) < 1e-9)
        #expect(ranged?.attenuationDecibels == 20)
        let untold = BluetoothReading(uuid: testRegion, major: 1, minor: 2, rssi: -70)
        let loss = PathLoss(exponent: 3, powerAtOneMetre: -70)
        #expect(RangedBeacon(untold, at: .second(0), pathLoss: loss)?.distanceMetres == 1)
        let bare = BluetoothReading(address: HardwareAddress(value: 1), rssi: -70)
        #expect(RangedBeacon(bare, at: .second(0), pathLoss: loss) == nil)
    }

    @Test("A site's beacons keep floor, UUID, group, order, filters and thresholds")
    func site() {
        func beacon(
            _ id: String, _ floor: String, _ minor: Int, uuid: EventID? = testRegion,
            group: String? = nil, order: Int? = nil
        ) -> SiteBeacon {
            SiteBeacon(
                id: BeaconID(id), floor: FloorID(floor), point: Point(x: Double(minor), y: 0),
                uuid: uuid, major: 1, minor: minor,
                address: uuid == nil ? HardwareAddress(value: 1) : nil,
                group: group.map { BeaconGroupID($0) }, orderInGroup: order)
        }
        var site = SiteDocument(
            name: "", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            beacons: [
                beacon("a", "up", 1, group: "way"),
                beacon("b", "up", 2, group: "way", order: 2),
                beacon("c", "down", 1, uuid: otherRegion), beacon("d", "down", 9, uuid: nil),
                beacon("e", "up", 3, group: "way", order: 1),
            ])
        site.beacons[1].batteryByte = .high
        site.beacons[2].isDisabled = true
        site.beacons[4].closesRing = true
        site.beacons[4].farthestMetres = 8
        site.beacons[4].txPower = -65
        site.beacons[4].proximity.nearDecibels = 2
        let map = BeaconMap(site)
        #expect(map.groups.map(\.id.text) == ["way", ""])
        #expect(map.groups.map(\.isRing) == [true, false])
        #expect(map.beacons(of: BeaconGroupIndex(0)).map { map[$0].point.x } == [3, 2, 1])
        #expect(map.uuids == [testRegion, otherRegion])
        #expect(map.beacons.map(\.floor?.text) == ["up", "up", "up", "down"])
        #expect(map.beacons.map(\.isEnabled) == [true, true, true, false])
        #expect(map.beacons[0].farthestMetres == 8 && map.beacons[0].powerAtOneMetre == -65)
        #expect(map.beacons[0].proximity == ProximityThresholds(nearDecibels: 2))
        #expect(map.beacon(BeaconIdentity(uuid: otherRegion, major: 1, minor: 1))?.value == 3)
        #expect(map.beacon(BeaconIdentity(uuid: testRegion, major: 1, minor: 9)) == nil)
    }

    @Test("Of very many beacons of a site, each with a UUID of its own, the first are used")
    func many() {
        let beacons = (0..<BeaconLimits.siteBeacons + 10).map { number in
            SiteBeacon(
                id: BeaconID("\(number)"), floor: FloorID("up"), point: Point(x: 0, y: 0),
                uuid: EventID(high: 9, low: UInt64(number)))
        }
        let map = BeaconMap(
            SiteDocument(
                name: "", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
                beacons: beacons))
        #expect(map.beacons.count == BeaconLimits.siteBeacons)
        #expect(map.uuids.count == BeaconLimits.siteBeacons)
        #expect(map.beacons.last?.uuid.low == UInt64(BeaconLimits.siteBeacons - 1))
    }
}
