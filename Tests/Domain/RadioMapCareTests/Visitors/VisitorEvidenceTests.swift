import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("Access points that visitors' scans show as changed") struct VisitorEvidenceTests {
    private static let fresh = HardwareAddress(value: 0x0200_5E00_FFFF)
    private static let day: Int64 = 86_400_000_000

    /// A simulated building with its surveys, on a grid of 2 m.
    private struct House {
        let building: SimulatedBuilding
        let site: SiteIndex
        let map: RadioMap

        init(_ seed: Int) throws {
            building = SimulatedBuilding.make(seed: UInt64(seed))
            var document = building.document
            document.accessPoints = AccessPointRules(allow: [.network("house")])
            site = try SiteIndex(document)
            let surveys = SimulatedSurvey(
                of: building, seed: UInt64(seed) + 5, start: SimulatedMap.start
            ).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            map = RadioMapBuilder.build(surveys, site: site).map
        }

        /// Some people's walks of ten minutes on a later day.
        func visits(_ devices: Range<Int>, day: Int64, seed: UInt64 = 1_000) -> [ScanRecorded] {
            devices.flatMap { device in
                Array(
                    SimulatedWalk(
                        in: building, seed: seed, device: DeviceID("visitor-\(day)-\(device)"),
                        start: SimulatedMap.start.advanced(
                            byMicroseconds: (40 + day) * VisitorEvidenceTests.day),
                        durationSeconds: 600)
                ).map(\.scan)
            }
        }

        /// - Parameters:
        ///   - days: the newest first.
        ///   - isOver: false while more scans of the newest day are to come.
        func changes(_ days: [[ScanRecorded]], isOver: Bool = true) -> [NoticedChange] {
            var evidence = VisitorEvidence(map, site: site)
            for (number, day) in days.enumerated() {
                for scan in day { evidence.add(scan) }
                evidence.endDay(isOver: isOver || number > 0)
            }
            return evidence.changes
        }

        /// An access point, and the one of its floor that is nearest to 30 m away.
        func pair(_ seed: Int) -> (moved: AccessPoint, off: AccessPoint) {
            let points = building.accessPoints
            let moved = points[(seed * 7 + 3) % points.count]
            let others = points.filter { $0.storey == moved.storey && $0 != moved }
            func fault(_ other: AccessPoint) -> Double {
                abs(Point(x: other.x, y: other.y).distance(to: Point(x: moved.x, y: moved.y)) - 30)
            }
            return (moved, others.min { fault($0) < fault($1) } ?? moved)
        }
    }

    /// The scans with other addresses; without those that have none.
    private static func renamed(
        _ scans: [ScanRecorded], _ names: [HardwareAddress: HardwareAddress?]
    ) -> [ScanRecorded] {
        scans.map { scan in
            var scan = scan
            scan.wifi = scan.wifi.compactMap { reading in
                var reading = reading
                reading.ssid = "house"
                guard let name = names[reading.bssid] else { return reading }
                guard let name else { return nil }
                reading.bssid = name
                return reading
            }
            return scan
        }
    }

    @Test("Nothing has changed where nothing has, in twenty buildings", arguments: 0..<20)
    func unchanged(seed: Int) throws {
        let house = try House(seed)
        #expect(house.changes([house.visits(0..<8, day: 1), house.visits(0..<8, day: 0)]).isEmpty)
    }

    /// Forty visits: twenty of ten minutes on each of two days.
    @Test(
        "One moved by 30 m, one that is off and a new one among sixty are found", arguments: [0, 2])
    func found(seed: Int) throws {
        let house = try House(seed)
        let (moved, off) = house.pair(seed)
        let replaced = house.building.accessPoints[((seed * 7 + 3) + 25) % 60]
        let names: [HardwareAddress: HardwareAddress?] = [
            moved.bssid: nil, off.bssid: moved.bssid, replaced.bssid: Self.fresh,
        ]
        let days = [1, 0].map { day in
            Self.renamed(house.visits(0..<20, day: Int64(day)), names)
        }
        let changes = house.changes(days)
        let kinds = Dictionary(
            uniqueKeysWithValues: changes.map { ($0.change.transmitter, $0.change.kind) })
        #expect(
            kinds == [
                .wifi(moved.bssid): .moved, .wifi(off.bssid): .vanished,
                .wifi(replaced.bssid): .vanished, .wifi(Self.fresh): .appeared,
            ])
        #expect(changes.allSatisfy { $0.source == .visitors && $0.voices != nil })
        let after = try #require(
            changes.first { $0.change.kind == .moved }?.change.after)
        #expect(after.floor == SimulatedBuilding.floor(off.storey))
        #expect(after.point.distance(to: Point(x: off.x, y: off.y)) < 10)
        // One day is too little, and so is the same day of another one's.
        #expect(house.changes([days[0], []]).isEmpty)
        // A newer day takes back what is not found any more. Old places need visitors there.
        let later = house.changes([house.visits(0..<20, day: 2)] + days).map(\.change.kind)
        #expect(!later.contains(.moved) && !later.contains(.appeared))
    }

    @Test("A day that is not over confirms a new access point, but does not take it back")
    func unfinished() throws {
        let house = try House(0)
        let replaced = house.building.accessPoints[28].bssid
        let days = [1, 0].map { day in
            Self.renamed(house.visits(0..<20, day: Int64(day)), [replaced: Self.fresh])
        }
        func isFound(_ days: [[ScanRecorded]], isOver: Bool) -> Bool {
            house.changes(days, isOver: isOver).contains {
                $0.change.kind == .appeared && $0.change.transmitter == .wifi(Self.fresh)
            }
        }
        #expect(isFound(days, isOver: false))
        // Nobody has come near it yet.
        let morning = Self.renamed(house.visits(0..<20, day: 2), [replaced: nil])
        #expect(isFound([morning] + days, isOver: false))
        #expect(!isFound([morning] + days, isOver: true))
    }

    @Test("A few who lie together are outnumbered; two, and one who sends much, are too few")
    func liars() throws {
        let house = try House(0)
        let (moved, off) = house.pair(0)
        let names: [HardwareAddress: HardwareAddress?] = [
            moved.bssid: nil, off.bssid: moved.bssid,
            house.building.accessPoints[40].bssid: Self.fresh,
        ]
        func lies(_ devices: Range<Int>, day: Int64) -> [ScanRecorded] {
            Self.renamed(house.visits(devices, day: day, seed: 7), names)
        }
        let few = house.changes([
            house.visits(0..<20, day: 1) + lies(20..<26, day: 1),
            house.visits(0..<20, day: 0) + lies(20..<26, day: 0),
        ])
        #expect(few.isEmpty)
        let two = (0..<5).flatMap { _ in lies(0..<2, day: 1) }
        #expect(house.changes([two, two]).isEmpty)
    }

    @Test("A device that receives half of the access points does not make them vanish")
    func deaf() throws {
        let house = try House(1)
        let names: [HardwareAddress: HardwareAddress?] = Dictionary(
            uniqueKeysWithValues: house.building.accessPoints.enumerated().filter {
                $0.offset % 2 == 0
            }.map { ($0.element.bssid, nil) })
        let days = [1, 0].map { Self.renamed(house.visits(0..<8, day: $0), names) }
        #expect(house.changes(days).isEmpty)
    }

    @Test("Strangers' addresses do not count, and neither do those of boxes on the wall")
    func strangers() throws {
        let house = try House(2)
        var visits = house.visits(0..<6, day: 1)
        for number in visits.indices {
            visits[number].wifi.append(WiFiReading(bssid: Self.fresh, ssid: "phone", rssi: -40))
        }
        #expect(house.changes([visits, visits]).isEmpty)
        var document = house.site.document
        document.scanners = [
            SiteScanner(
                id: ScannerID("visitor-1-0"), floor: SimulatedBuilding.floor(0),
                point: Point(x: 1, y: 1))
        ]
        let evidence = VisitorEvidence(house.map, site: try SiteIndex(document))
        #expect(!evidence.wants(DeviceID("visitor-1-0")))
        #expect(evidence.wants(DeviceID("visitor-1-1")))
    }

    @Test("Invented addresses of a device, its scans and the devices of a day are limited")
    func limits() throws {
        let house = try House(0)
        let ground = VisitorGround(house.map)
        let scan = try #require(house.visits(0..<1, day: 0).first)
        let received = Dictionary(
            uniqueKeysWithValues: scan.wifi.map { ($0.bssid, $0.rssi) })
        var day = VisitorDay()
        for device in 0..<3 {
            let invented = Dictionary(
                uniqueKeysWithValues: (0..<500).map {
                    (HardwareAddress(value: UInt64(0xF000_0000 + $0)), -40)
                })
            for _ in 0..<600 {
                day.add(
                    of: DeviceID("device-\(device)"), at: scan.at, received, fresh: invented,
                    on: ground)
            }
            #expect(!day.wants(DeviceID("device-\(device)")))
        }
        #expect(day.tallies.keys.count { received[$0] == nil } <= VisitorDay.mostFresh)
        for device in 3..<VisitorDay.mostDevices {
            day.add(of: DeviceID("device-\(device)"), at: scan.at, [:], fresh: [:], on: ground)
        }
        #expect(!day.wants(DeviceID("one more")))
    }
}
