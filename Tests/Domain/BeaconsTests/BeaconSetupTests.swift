import Beacons
import Events
import Geometry
import Site
import Testing

@Suite("Set-up files of a site's beacons") struct BeaconSetupTests {
    private static func site(_ beacons: [SiteBeacon] = []) -> SiteDocument {
        SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
            ],
            floors: ["lower", "upper"].enumerated().map { ordinal, id in
                FloorRecord(
                    id: FloorID(id), building: BuildingID("house"), ordinal: ordinal, level: id)
            }, beacons: beacons)
    }

    /// Beacons on two floors with two UUIDs, some without a group or a number.
    private static func beacons() -> [SiteBeacon] {
        (0..<12).map { number in
            let uuid = number % 4 == 3 ? otherRegion : testRegion
            let group = number % 3 == 0 ? nil : "way-\(number % 2)"
            return SiteBeacon(
                id: BeaconID("b\(number)"), name: number == 5 ? "Door" : nil,
                floor: FloorID(number < 6 ? "lower" : "upper"),
                point: Point(x: Double(number) * 1.5, y: Double(number % 5)), uuid: uuid,
                major: number == 7 ? nil : 3, minor: number, txPower: -65,
                batteryByte: uuid == testRegion ? .high : nil,
                group: group.map { BeaconGroupID($0) }, orderInGroup: group.map { _ in number },
                isDisabled: number == 4, farthestMetres: number == 8 ? 9 : nil,
                proximity: BeaconProximity(nearDecibels: number == 2 ? 1.5 : nil))
        }
    }

    @Test("Documents of a site bring its beacons back, on each floor and for each UUID")
    func roundTrip() throws {
        let site = Self.site(Self.beacons())
        let documents = BeaconSetup.documents(of: site)
        #expect(documents.map { $0.floor?.text } == ["lower", "lower", "upper", "upper"])
        #expect(documents.allSatisfy { BeaconValidation.faults(in: $0).isEmpty })
        // Into the site itself nothing but the numbers within groups changes.
        let again = try BeaconSetup.site(site, with: documents).site
        let fresh = try BeaconSetup.site(Self.site(), with: documents)
        #expect(fresh.leftOut.isEmpty)
        #expect(fresh.site.beacons.count == site.beacons.count)
        for found in [again, fresh.site] {
            let map = BeaconMap(found)
            for beacon in site.beacons {
                let other = try #require(
                    found.beacons.first {
                        ($0.uuid, $0.major, $0.minor) == (beacon.uuid, beacon.major, beacon.minor)
                    })
                var expected = beacon
                expected.id = other.id
                expected.orderInGroup = other.orderInGroup
                expected.farthestMetres = other.farthestMetres
                expected.point = other.point
                #expect(other == expected)
                #expect(other.point.distance(to: beacon.point) < 1e-9)
            }
            // The order along the way is the same on each floor.
            for (number, group) in map.groups.enumerated() where !group.id.text.isEmpty {
                let way = map.beacons(of: BeaconGroupIndex(number)).map { map[$0] }
                for floor in ["lower", "upper"] {
                    for uuid in [testRegion, otherRegion] {
                        let minors = way.filter { $0.floor?.text == floor && $0.uuid == uuid }
                            .compactMap(\.record.minor)
                        #expect(minors == minors.sorted())
                    }
                }
            }
        }
        #expect(again.beacons.map(\.id) == site.beacons.map(\.id))
        #expect(again.beacons[8].farthestMetres == 9)
    }

    @Test("A stated power becomes that of the records, the usual one too; without it theirs stays")
    func power() throws {
        let site = Self.site(Self.beacons())
        let documents = BeaconSetup.documents(of: site)
        for power in [nil, -59, -60] as [Double?] {
            let stated = documents.map { document in
                var document = document
                document.pathLoss.powerAtOneMetre = power
                return document
            }
            let again = try BeaconSetup.site(site, with: stated).site
            #expect(again.beacons.allSatisfy { $0.txPower == power.map { Int($0) } ?? -65 })
            let fresh = try BeaconSetup.site(Self.site(), with: stated).site
            #expect(fresh.beacons.allSatisfy { $0.txPower == power.map { Int($0) } })
            #expect(
                BeaconSetup.documents(of: fresh).map(\.pathLoss.powerAtOneMetre)
                    == documents.map { _ in power })
        }
        // Beacons with several powers, or with and without one, share none that a file could state.
        for other in [nil, -61] as [Int?] {
            var mixed = site
            for index in mixed.beacons.indices where index.isMultiple(of: 2) {
                mixed.beacons[index].txPower = other
            }
            let files = BeaconSetup.documents(of: mixed)
            #expect(files.contains { $0.pathLoss.powerAtOneMetre == nil })
            let again = try BeaconSetup.site(mixed, with: files).site
            #expect(again.beacons.map(\.txPower) == mixed.beacons.map(\.txPower))
        }
    }

    @Test("What a site can't hold is named, and a document without its floor is refused")
    func faults() throws {
        var file = document([[(1, 2), (3, 4), (5, 6)]], ring: true)
        file.floor = FloorID("upper")
        file.groups[0].name = "Hall"
        file.groups[0].isEnabled = false
        file.pathLoss.exponent = 3
        let found = try BeaconSetup.site(Self.site(), with: [file])
        #expect(
            found.leftOut.map(\.detail)
                == ["the name of group g0", "the exponent of the path loss"])
        #expect(found.site.beacons.map(\.id.text) == ["g0-1", "g0-2", "g0-3"])
        #expect(found.site.beacons.map(\.closesRing) == [false, false, true])
        #expect(found.site.beacons.allSatisfy { $0.isDisabled })
        file.floor = FloorID("attic")
        func details(_ files: [BeaconDocument]) -> [String]? {
            let fault = #expect(throws: BeaconSetup.Fault.self) {
                try BeaconSetup.site(Self.site(), with: files)
            }
            return fault?.details
        }
        #expect(details([file]) == ["\(file.name): the site has no floor attic"])
        var other = file
        other.floor = nil
        #expect(details([other]) == ["\(file.name): it names no floor"])
        file.floor = FloorID("upper")
        file.groups[0].beacons.append(file.groups[0].beacons[0])
        file.groups.append(file.groups[0])
        // All faults of all documents are named, not only the first.
        let told = details([file, other]) ?? []
        #expect(told.count > 2 && told.contains { $0.hasSuffix("it names no floor") }, "\(told)")
        let most = details(Array(repeating: other, count: 101)) ?? []
        #expect(most.count == BeaconLimits.faultsReported)
    }
}
