import Devices
import Events
import Geometry
import SeededRandomness
import Site
import Testing

@Suite struct DeviceVisitsTests {
    /// Four rooms in a row, ten metres wide and eight deep:  | r0 | r1 | r2 | r3 |
    private static let site = try? SiteIndex(
        SiteDocument(
            name: "Row", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
            ],
            rooms: (0..<4).map { number in
                let x = Double(number) * 10
                return RoomRecord(
                    id: RoomID("r\(number)"), floor: FloorID("ground"), name: "", kind: "room",
                    outline: [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]])
            }, locations: []))

    private static func zone(_ number: Int) -> Zone { Zone(.room, ZoneID("r\(number)")) }

    private static func seconds(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_700_000_000_000_000 + Int64(seconds * 1e6))
    }

    private static func sighting(
        _ at: Double, x: Double, _ probabilities: [Int: Double]
    ) -> ZoneSighting {
        ZoneSighting(
            at: seconds(at),
            probabilities: Dictionary(
                uniqueKeysWithValues: probabilities.map { (zone($0.key), $0.value) }),
            point: Point(x: x, y: 4), floor: FloorID("ground"), site: site)
    }

    /// The visits of each zone from a run of changes, in the form of the obvious version.
    private static func visits(
        _ changes: [DeviceVisits.Change], _ open: [DeviceVisits.Stay]
    ) -> [Zone: [ObviousVisits.Visit]] {
        var visits: [Zone: [ObviousVisits.Visit]] = [:]
        for case .ended(let stay, let reason) in changes {
            visits[stay.zone, default: []].append(
                .init(
                    entered: stay.entered.microseconds, left: stay.lastInside.microseconds,
                    reason: reason, scans: stay.scans))
        }
        for stay in open where stay.isVisit {
            visits[stay.zone, default: []].append(
                .init(
                    entered: stay.entered.microseconds, left: nil, reason: nil, scans: stay.scans))
        }
        return visits
    }

    @Test(
        "Random walks give the same visits as a slow, obvious version",
        arguments: 0..<60 as Range<UInt64>)
    func likeTheObvious(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }
        let rules = VisitRules(
            enterProbability: number(0.51...0.9), leaveProbability: number(0...0.5),
            minimumDwell: .seconds(number(0...20)), exitTolerance: number(0...3),
            toleranceTimeout: .seconds(number(0...40)), exitDelay: .seconds(number(0...20)),
            silence: .seconds(number(20...60)))
        var device = DeviceVisits()
        var changes: [DeviceVisits.Change] = []
        var scans: [Int: [ObviousVisits.Scan]] = [:]
        var (at, x) = (0.0, 5.0)
        for _ in 0..<400 {
            // Now and then there are two scans of one moment, or a long silence.
            at += Int.random(in: 0..<40, using: &random) == 0 ? number(10...80) : number(0...8)
            x = min(39.9, max(0.1, x + number(-4...4)))
            let room = Int(x / 10)
            let isLost = Int.random(in: 0..<12, using: &random) == 0
            let share = number(0...1)
            let other = (room + 1) % 4
            let probabilities = [room: share, other: 1 - share]
            let sighting = isLost ? nil : Self.sighting(at, x: x, probabilities)
            changes += device.evolve(at: Self.seconds(at), sighting, rules)
            for zone in 0..<4 {
                let left = Double(zone) * 10
                let distance = max(0, left - x, x - left - 10)
                scans[zone, default: []].append(
                    .init(
                        at: Self.seconds(at).microseconds,
                        seen: isLost ? nil : (probabilities[zone] ?? 0, distance)))
            }
        }
        let found = Self.visits(changes, device.stays)
        for zone in 0..<4 {
            let expected = ObviousVisits(rules: rules).visits(scans[zone] ?? [])
            #expect(found[Self.zone(zone)] ?? [] == expected, "room \(zone)")
        }
        // Each ended visit must have started exactly once.
        let started = changes.filter { if case .started = $0 { true } else { false } }
        #expect(
            started.count
                == changes.count - started.count + device.stays.filter(\.isVisit).count)
    }

    @Test("A visit begins with the first scan inside and ends with the last")
    func story() {
        let rules = VisitRules()
        var device = DeviceVisits()
        var reports: [String] = []
        func evolve(_ at: Double, x: Double, _ probabilities: [Int: Double]) {
            for change in device.evolve(
                at: Self.seconds(at), Self.sighting(at, x: x, probabilities), rules)
            {
                switch change {
                case .started(let stay):
                    reports.append("\(Int(at)): in \(stay.zone.id) with \(stay.confidence)")
                case .ended(let stay, let reason):
                    let left = (stay.lastInside - Self.seconds(0)) / 1_000_000
                    reports.append("\(Int(at)): out of \(stay.zone.id) at \(left), \(reason)")
                }
            }
        }
        evolve(0, x: 5, [0: 0.75])
        evolve(5, x: 5, [0: 0.5])
        evolve(10, x: 5, [0: 1])
        // Half a metre beyond the wall is tolerated for thirty seconds.
        evolve(20, x: 10.5, [1: 1])
        evolve(41, x: 10.5, [1: 1])
        evolve(45, x: 10.5, [1: 1])
        evolve(51, x: 10.5, [1: 1])
        // There is no scan for eleven minutes.
        evolve(51 + 661, x: 10.5, [1: 1])
        #expect(
            reports == [
                "10: in r0 with 0.75", "41: in r1 with 1.0", "51: out of r0 at 10, left",
                "712: out of r1 at 51, silent",
            ])
    }

    @Test("The next scan and the clock end a visit with the same event")
    func deadline() {
        let rules = VisitRules(minimumDwell: .zero)
        let late = Duration.seconds(300)
        var byScan = DeviceVisits()
        _ = byScan.evolve(at: Self.seconds(0), Self.sighting(0, x: 5, [0: 1]), rules)
        var byClock = byScan
        #expect(byClock.deadline(rules, lateAfter: late) == Self.seconds(600 + 300 + 60))
        let ended = byClock.endAll(rules.silence)
        #expect(ended.count == 1)
        #expect(byClock == DeviceVisits())
        #expect(byClock.deadline(rules, lateAfter: late) == nil)
        // This scan shows that time has passed, but does not locate the device.
        #expect(byScan.evolve(at: Self.seconds(601), nil, rules) == ended)
        #expect(byScan == byClock)
    }

    @Test("A visit ends when the device's pseudonym does, by the next scan and by the clock")
    func renamed() {
        let rules = VisitRules(minimumDwell: .zero)
        let renamed = Self.seconds(100)
        var byScan = DeviceVisits()
        _ = byScan.evolve(
            at: Self.seconds(90), Self.sighting(90, x: 5, [0: 1]), rules, renamed: renamed)
        var byClock = byScan
        let deadline = byClock.deadline(rules, lateAfter: .seconds(300), renamed: renamed)
        #expect(deadline == Self.seconds(400 + 60).advanced(byMicroseconds: -1))
        let ended = byClock.endAll(rules.silence, renamed: renamed)
        guard case .ended(_, .renamed)? = ended.first else {
            Issue.record("the visit ends with another reason: \(ended)")
            return
        }
        // A sender's clock may be up to an hour ahead of the server's.
        let sighting = Self.sighting(100, x: 5, [0: 1])
        #expect(byScan.evolve(at: renamed, sighting, rules, renamed: renamed) == ended)
        #expect(byScan == DeviceVisits() && byClock == DeviceVisits())
    }

    @Test("A device that fell silent before its pseudonym ended was silent")
    func silentBefore() {
        let rules = VisitRules(minimumDwell: .zero, silence: .seconds(50))
        var device = DeviceVisits()
        let renamed = Self.seconds(100)
        _ = device.evolve(
            at: Self.seconds(10), Self.sighting(10, x: 5, [0: 1]), rules, renamed: renamed)
        guard case .ended(_, .silent)? = device.endAll(rules.silence, renamed: renamed).first
        else {
            Issue.record("the visit was not ended by silence")
            return
        }
    }

    @Test("At most sixteen zones are kept; the zone not seen for longest is dropped")
    func limit() {
        let rules = VisitRules(
            leaveProbability: 0.1, minimumDwell: .zero, exitDelay: .seconds(500))
        var device = DeviceVisits()
        var ended: [ZoneID] = []
        for number in 0..<20 {
            for change in device.evolve(
                at: Self.seconds(Double(number)), Self.sighting(Double(number), x: 5, [number: 1]),
                rules)
            {
                if case .ended(let stay, _) = change { ended.append(stay.zone.id) }
            }
        }
        #expect(device.stays.count == DeviceVisits.maximumStays)
        #expect(ended == ["r0", "r1", "r2", "r3"].map(ZoneID.init))
    }

    @Test("A position counts for its building and each of its rooms; a lost one for none")
    func fromPosition() {
        var position = PositionEstimated(
            id: EventID(high: 0, low: 1), scan: EventID(high: 0, low: 2), at: Self.seconds(0),
            locatedAt: Self.seconds(0), device: DeviceID("d"), site: SiteID("row"), siteVersion: 1,
            state: .located, late: false, positioner: "knn", radioMapVersion: 1)
        position.building = BuildingID("house")
        position.room = RoomID("r1")
        #expect(
            ZoneSighting(position, at: Self.seconds(0), site: Self.site)?.probabilities
                == [Zone(.building, ZoneID("house")): 1, Self.zone(1): 1])
        position.rooms = [.init(id: RoomID("r2"), probability: 0.75)]
        #expect(
            ZoneSighting(position, at: Self.seconds(0), site: Self.site)?.probabilities
                == [Zone(.building, ZoneID("house")): 1, Self.zone(2): 0.75])
        position.state = .lost
        #expect(ZoneSighting(position, at: Self.seconds(0), site: Self.site) == nil)
    }
}
