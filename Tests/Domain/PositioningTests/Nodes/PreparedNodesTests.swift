import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Devices that only nodes hear") struct PreparedNodesTests {
    /// Four rooms of 8 x 6 m with a node in the middle of each.
    ///
    ///     C D
    ///     A B
    private static let site: SiteIndex = {
        var document = SampleSite.index.document
        document.locations = []
        document.rooms = []
        for (number, name) in ["A", "B", "C", "D"].enumerated() {
            let (x, y) = (Double(number % 2) * 8, Double(number / 2) * 6)
            document.rooms.append(
                RoomRecord(
                    id: RoomID(name), floor: floor, name: name, kind: "lab",
                    outline: [[x, y], [x + 8, y], [x + 8, y + 6], [x, y + 6]]))
            document.scanners.append(
                SiteScanner(
                    id: ScannerID("node-\(number)"), floor: floor,
                    point: Point(x: x + 4, y: y + 3)))
        }
        return try! SiteIndex(document)
    }()
    private static let floor = SampleSite.ground

    private static func scan(
        _ levels: [Int?], seconds: Int = 0, distances: [Int: MeasuredDistance] = [:],
        wifi: [UInt64] = []
    ) -> RadioScan {
        let at = Timestamp(milliseconds: 1_700_000_000_000 + Int64(seconds) * 1_000)
        return RadioScan(
            ScanRecorded(
                id: EventID(high: 1, low: UInt64(seconds)), site: SampleSite.id,
                device: DeviceID("tag"), scanner: ScannerID("tag"), at: at, receivedAt: at,
                wifi: wifi.map { WiFiReading(bssid: HardwareAddress(value: $0), rssi: -60) },
                heardBy: levels.enumerated().compactMap { number, rssi in
                    rssi.map {
                        NodeReading(
                            scanner: ScannerID("node-\(number)"), rssi: $0,
                            distance: distances[number])
                    }
                }))
    }

    private static func nodes(
        _ calibration: NodesCalibrated? = nil, map: RadioMap = .empty
    ) throws -> PreparedNodes {
        try #require(PreparedNodes(site, calibration: calibration, map: map))
    }

    private static func room(of point: Point) -> RoomID? {
        site.floorIndex(floor).flatMap { site.room(at: point, on: $0) }.map { site.room($0).id }
    }

    private static func calibration(
        _ offsets: [Double], state: NodesCalibrated.State = .working
    ) -> NodesCalibrated {
        NodesCalibrated(
            site: SampleSite.id, siteVersion: 1, calibratedAt: Timestamp(milliseconds: 0),
            level: -59, wallLoss: 4, floorLoss: 15, deviation: 4,
            nodes: offsets.enumerated().map { number, offset in
                NodesCalibrated.Node(
                    scanner: ScannerID("node-\(number)"), offset: offset, offsetError: 1,
                    exponent: 2, exponentError: 0.1, links: 3, readings: 100,
                    state: number == 0 ? state : .working)
            })
    }

    @Test("A site without places of scanners has no nodes")
    func none() throws {
        var document = Self.site.document
        document.scanners = []
        #expect(PreparedNodes(try SiteIndex(document), calibration: nil, map: .empty) == nil)
    }

    @Test("One node gives its room, uncertain, with a radius beyond the room")
    func proximity() throws {
        let estimate = try Self.nodes().locate(Self.scan([nil, -62, nil, nil]))
        let place = try #require(estimate.place)
        #expect(estimate.state == .uncertain)
        #expect(place.room == Self.room(of: Point(x: 12, y: 3)))
        #expect(place.radius68 > 1.5 && place.radius95 > place.radius68)
        #expect(estimate.rooms.reduce(0) { $0 + $1.probability } < 1.001)
    }

    @Test("The most probable room is the one where the nodes' strengths fit", arguments: 0..<4)
    func range(room: Int) throws {
        let levels = (0..<4).map { $0 == room ? -62 : $0 == 3 - room ? -88 : -80 }
        let estimate = try Self.nodes().locate(Self.scan(levels))
        let node = Self.site.document.scanners[room]
        #expect(estimate.state == .located)
        #expect(estimate.place?.room == Self.room(of: node.point))
        #expect(estimate.rooms.first?.id == estimate.place?.room)
    }

    @Test("A node that hears all too strongly draws no devices to itself once it is calibrated")
    func calibrated() throws {
        // The device is beside node 1; node 0 hears 12 dB more than it should.
        let scan = Self.scan([-68, -66, -90, -84])
        let room = try Self.nodes(Self.calibration([12, -6, 0, 0])).locate(scan).place?.room
        #expect(room == Self.room(of: Point(x: 12, y: 3)))
    }

    @Test("Another calibration or radio map gives what preparing anew gives, with the same ways")
    func with() throws {
        let first = try Self.nodes()
        var map = RadioMap.empty
        map.transmitters = [.wifi(HardwareAddress(value: 7))]
        let calibration = Self.calibration([12, -6, 0, 0], state: .deaf)
        let later = first.with(calibration, map)
        let anew = try Self.nodes(calibration, map: map)
        #expect(later.fields.ground === first.fields.ground)
        #expect(later.scanners == anew.scanners)
        let scan = Self.scan([-68, -66, -90, -84])
        #expect(later.locate(scan).place == anew.locate(scan).place)
        #expect(!later.suits(Self.scan([nil, -60], wifi: [7])))
    }

    @Test("A deaf node is left out, and a scan that only it heard is not located")
    func deaf() throws {
        let nodes = try Self.nodes(Self.calibration([0, 0, 0, 0], state: .deaf))
        #expect(!nodes.suits(Self.scan([-60, nil, nil, nil])))
        #expect(nodes.suits(Self.scan([-60, -70, nil, nil])))
        #expect(!nodes.uses(.node(ScannerID("node-0"))))
    }

    @Test("Scans that the radio map knows are left to the positioner")
    func suits() throws {
        var map = RadioMap.empty
        map.transmitters = [.wifi(HardwareAddress(value: 7))]
        let wifi = try Self.nodes(map: map)
        #expect(!wifi.suits(Self.scan([-60], wifi: [7])))
        #expect(wifi.suits(Self.scan([-60], wifi: [8])))
        #expect(!wifi.suits(Self.scan([], wifi: [8])))
        map.transmitters = (0..<4).map { .node(ScannerID("node-\($0)")) }
        let surveyed = try Self.nodes(map: map)
        #expect(!surveyed.suits(Self.scan([-60, -70, -80])))
        #expect(surveyed.suits(Self.scan([-60, -70])))
    }

    @Test("Measured distances that are better than strengths count instead of them")
    func distances() throws {
        let truth = Point(x: 6, y: 2)
        var distances: [Int: MeasuredDistance] = [:]
        for (number, scanner) in Self.site.document.scanners.enumerated() {
            distances[number] = MeasuredDistance(
                metres: scanner.point.distance(to: truth), deviation: 0.3)
        }
        let scan = Self.scan([-80, -80, -80, -80], distances: distances)
        let place = try #require(try Self.nodes().locate(scan).place)
        #expect(place.point.distance(to: truth) < 1)
        #expect(place.radius95 < 2.5)
    }

    @Test("A distance that was made from the strength does not count at a calibrated node")
    func vague() throws {
        let nodes = try Self.nodes(Self.calibration([0, 0, 0, 0]))
        let levels = [-62, -80, -80, -88]
        let plain = nodes.locate(Self.scan(levels)).place
        let vague = [0: MeasuredDistance(metres: 2, deviation: 0.7)]
        #expect(nodes.locate(Self.scan(levels, distances: vague)).place == plain)
    }

    @Test("The silence of a node counts only if links show that it hears")
    func silence() throws {
        let scan = Self.scan([-74, nil, -76, nil])
        func share(_ calibration: NodesCalibrated) throws -> Double {
            let rooms = try Self.nodes(calibration).locate(scan).rooms
            return rooms.filter { $0.id == RoomID("B") }.reduce(0) { $0 + $1.probability }
        }
        let calibrated = Self.calibration([0, 0, 0, 0])
        var strange = calibrated
        for number in [1, 3] { strange.nodes[number].links = 0 }
        let known = try share(calibrated)
        let unknown = try share(strange)
        #expect(known < unknown)
    }

    @Test("A gap between two rooms is one wall")
    func gap() throws {
        var document = Self.site.document
        document.rooms[1].outline = [[8.6, 0], [16, 0], [16, 6], [8.6, 6]]
        let apart = try SiteIndex(document)
        func walls(_ site: SiteIndex, to x: Double) -> Int? {
            guard let floor = site.floorIndex(Self.floor) else { return nil }
            let start = RadioPlace(floor: floor, point: [4, 3], height: 1)
            let end = RadioPlace(floor: floor, point: Point(x: x, y: 3), height: 1)
            return RadioPaths(site).path(from: start, to: end)?.walls
        }
        #expect(walls(Self.site, to: 12) == 1)
        #expect(walls(apart, to: 12) == 1)
        #expect(walls(apart, to: 8.3) == 1)
        #expect(walls(apart, to: 6) == 0)
    }

    @Test("A late scan is located alone, and the memory stays")
    func late() throws {
        let nodes = try Self.nodes()
        var scratch = PositionerScratch()
        let first = nodes.locate(
            Self.scan([-62, -80, -80, -88], seconds: 100), state: .empty, seed: 0,
            scratch: &scratch)
        let late = nodes.locate(
            Self.scan([-88, -80, -80, -62], seconds: 50), state: first.state, seed: 0,
            scratch: &scratch)
        #expect(late.state == first.state)
        #expect(late.estimate.place?.room == Self.room(of: Point(x: 12, y: 9)))
    }

    @Test("A device at rest between two rooms does not change its room scan by scan")
    func steady() throws {
        let nodes = try Self.nodes()
        var random = SeededRandom(seed: 4)
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        var rooms: [RoomID?] = []
        for number in 0..<300 {
            let scan = Self.scan(
                [-68, -68, -80, -80].map { $0 + Int.random(in: -6...6, using: &random) },
                seconds: number * 4)
            let answer = nodes.locate(scan, state: state, seed: 0, scratch: &scratch)
            state = answer.state
            rooms.append(answer.estimate.place?.room)
        }
        #expect(zip(rooms, rooms.dropFirst()).count { $0 != $1 } <= 2)
    }
}
