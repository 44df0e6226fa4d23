import Devices
import Events
import Geometry
import Positioning
import Site
import Testing

@Suite("A site whose beacons locate") struct BeaconSiteTests {
    private static func knowledge(
        _ document: SiteDocument, _ positioner: any Positioner = AutomaticPositioner(),
        map: RadioMap = .empty
    ) throws -> SiteKnowledge {
        SiteKnowledge(
            SiteSources(
                BeaconHouse.site,
                site: PublishedSite(version: 1, index: try SiteIndex(document))),
            map: map,
            positioners: [WorkingPositioner(positioner: positioner, option: positioner.name)],
            Script.digests)
    }

    private struct Figures {
        var (scans, zones, floors, inZones, within68, within95) = (0, 0, 0, 0, 0, 0)

        static func share(_ part: Int, _ whole: Int) -> Double {
            Double(part) / Double(max(1, whole))
        }
    }

    /// Follows the visitors of a house, each for twenty minutes with a telephone of its own.
    ///
    /// - Parameter surveys: the number of surveys in the first room of the ground floor.
    private func followed(seed: Int, surveys: Int = 0) throws -> Figures {
        var house = BeaconHouse(seed: seed)
        var surveyor = house
        let map = RadioMapBuilder.build(
            surveyor.surveys(of: 0, count: surveys, rooms: 1), site: try SiteIndex(house.document)
        ).map
        let site = try Self.knowledge(house.document, map: map)
        let shapes = try #require(site.site?.index.zoneShapes)
        var figures = Figures()
        for (visitor, offset) in [-5.0, -2, 0, 3, 5].enumerated() {
            var table = DeviceTable()
            var scratch = DeviceScratch()
            for (number, place) in house.visit(seconds: 1_200).enumerated() {
                let scan = house.scan(
                    at: place.spot, number: number, of: DeviceID("visitor-\(visitor)"),
                    seconds: Double(number) * 2, offset: offset)
                let (decision, _) = table.decide(
                    scan, in: site, by: Script.rules, locatedAt: scan.receivedAt,
                    scratch: &scratch)
                figures.scans += 1
                if place.room != nil { figures.inZones += 1 }
                guard case .located(let located) = decision, let position = located.served,
                    let x = position.x, let y = position.y, let radius68 = position.radius68,
                    let radius95 = position.radius95
                else { continue }
                if position.floor == BeaconHouse.floor(place.spot.floor) { figures.floors += 1 }
                let point = Point(x: x, y: y)
                let metres = point.distance(to: place.spot.point)
                if metres <= radius68 { figures.within68 += 1 }
                if metres <= radius95 { figures.within95 += 1 }
                guard let room = place.room else { continue }
                let zones = shapes.zones(at: point, on: position.floor)
                if zones.contains(BeaconHouse.zone(room)) { figures.zones += 1 }
            }
        }
        return figures
    }

    /// The bar of issue 16: with a beacon dead and one moved, the zone is right at least .9 of the
    /// time. The evidence's figures were chosen on seeds 1 to 40; these seeds were written down
    /// before their first run.
    @Test("Twelve beacons on two floors tell the zone of 30 m² without any survey")
    func zones() throws {
        let houses = try (101...110).map { try followed(seed: $0) }
        func sum(_ path: KeyPath<Figures, Int>) -> Int {
            houses.reduce(0) { $0 + $1[keyPath: path] }
        }
        let scans = sum(\.scans)
        #expect(Figures.share(sum(\.zones), sum(\.inZones)) >= 0.9)
        #expect(Figures.share(sum(\.floors), scans) >= 0.95)
        #expect((0.6...0.85).contains(Figures.share(sum(\.within68), scans)))
        #expect((0.9...0.99).contains(Figures.share(sum(\.within95), scans)))
        // No house is much worse than the others.
        #expect(houses.allSatisfy { Figures.share($0.zones, $0.inZones) >= 0.85 })
    }

    /// One survey made the tracks of all visitors stay around it.
    @Test("Surveys of one room alone make no zone worse", arguments: [1, 12])
    func oneRoom(surveys: Int) throws {
        for seed in 111...112 {
            let (plain, surveyed) = try (
                followed(seed: seed), followed(seed: seed, surveys: surveys)
            )
            #expect(surveyed.inZones == plain.inZones)
            #expect(surveyed.zones >= plain.zones - plain.inZones / 50)
            #expect(surveyed.floors >= plain.floors - plain.scans / 50)
            #expect(surveyed.within95 >= plain.within95 - plain.scans / 50)
        }
    }

    @Test("The battery in the major changes no position")
    func battery() throws {
        var house = BeaconHouse(seed: 11)
        let plain = try Self.knowledge(house.document)
        house.document.beacons[0].batteryByte = .low
        let sending = try Self.knowledge(house.document)
        var scratch = DeviceScratch()
        for (number, place) in house.visit(seconds: 60).enumerated() {
            let scan = house.scan(
                at: place.spot, number: number, of: DeviceID("d"), seconds: Double(number),
                offset: 0)
            var sent = scan
            for index in sent.ble.indices {
                sent.ble[index].major = sent.ble[index].major.map { $0 << 8 | UInt16(100 - number) }
            }
            let positions = [(scan, plain), (sent, sending)].map { scan, site in
                Device.position(
                    ofOne: scan, in: site, by: Script.rules, locatedAt: scan.receivedAt,
                    scratch: &scratch)
            }
            #expect(positions[0] == positions[1])
            #expect(positions[0]?.state == .located)
        }
    }

    @Test("A floor with beacons alone is told from a surveyed floor below it, and each by its own")
    func besideMap() throws {
        var house = BeaconHouse(seed: 12)
        house.document.beacons.removeAll { $0.floor == BeaconHouse.floor(0) }
        let index = try SiteIndex(house.document)
        let surveys = house.surveys(of: 0, count: 60)
        let map = RadioMapBuilder.build(surveys, site: index).map
        let site = try Self.knowledge(house.document, map: map)
        var (right, scans) = (0, 0)
        var table = DeviceTable()
        var scratch = DeviceScratch()
        for (number, place) in house.visit(seconds: 1_200).enumerated() {
            let scan = house.scan(
                at: place.spot, number: number, of: DeviceID("d"), seconds: Double(number) * 2,
                offset: 0)
            let (decision, _) = table.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &scratch)
            guard case .located(let located) = decision else { continue }
            scans += 1
            if located.served?.floor == BeaconHouse.floor(place.spot.floor) { right += 1 }
        }
        #expect(Figures.share(right, scans) >= 0.9)
    }
}
