import Devices
import Events
import Testing

@Suite struct RestoredDevicesTests {
    private static let site = SiteID("museum")
    private static let key = DeviceKey(site, DeviceID("anna"))

    private static func position(_ number: Int) -> PositionEstimated {
        let at = Timestamp(milliseconds: Int64(number) * 4_000)
        return PositionEstimated(
            id: EventID(high: UInt64(number), low: 1), scan: scan(number), at: at, locatedAt: at,
            device: key.device, site: site, siteVersion: 1, state: .lost, late: false,
            positioner: "knn", radioMapVersion: 1)
    }

    private static func scan(_ number: Int) -> EventID { EventID(high: 9, low: UInt64(number)) }

    private static func recorded(_ number: Int) -> ScanRecorded {
        let at = Timestamp(milliseconds: Int64(number) * 4_000)
        return ScanRecorded(
            id: scan(number), site: site, device: key.device, scanner: ScannerID("s"), at: at,
            receivedAt: at, steps: number)
    }

    @Test("Scans that were located before the backup are duplicates, whatever they contain")
    func ids() {
        let count = SeenSegment.mostIDs + 100
        var restored = RestoredDevices()
        var table = DeviceTable()
        let now = Self.position(count).at
        for number in 0..<count {
            let position = Self.position(number)
            if let full = restored.add(position, appendedAt: position.at) {
                table.restore(full, storedAt: now)
            }
        }
        table.restore(restored.lastSegment(at: now), storedAt: now)
        var scratch = DeviceScratch()
        func decide(_ number: Int) -> ScanDecision {
            table.decide(
                Self.recorded(number), in: Script.site(), by: Script.rules, locatedAt: now,
                scratch: &scratch
            ).decision
        }
        for number in stride(from: 0, to: count, by: 7) {
            guard case .duplicate = decide(number) else {
                Issue.record("scan \(number) is no duplicate")
                continue
            }
        }
        guard case .located(let next) = decide(count) else {
            Issue.record("a new scan is not located")
            return
        }
        #expect(!next.isLate && next.isMoved)
        guard case .located(let old) = decide(count + 1) else {
            Issue.record("a new scan is not located")
            return
        }
        #expect(old.isMoved)
    }

    @Test("Visits that lasted go on, and those that had ended or were erased don't")
    func visits() {
        func started(_ zone: String, _ number: UInt64, _ device: String = "anna") -> VisitStarted {
            VisitStarted(
                visit: EventID(high: 1, low: number), site: Self.site, device: DeviceID(device),
                zone: Zone(.room, ZoneID(zone)), entered: Self.position(Int(number)).at,
                confidence: 0.9)
        }
        var restored = RestoredDevices()
        for visit in [started("a", 1), started("b", 2), started("c", 3, "bert")] {
            restored.add(visit)
        }
        _ = restored.add(Self.position(50), appendedAt: Self.position(50).at)
        let first = started("a", 1)
        restored.add(
            VisitEnded(
                visit: first.visit, site: Self.site, device: first.device, zone: first.zone,
                entered: first.entered, left: first.entered, confidence: 1, reason: .left))
        restored.erase(DeviceKey(Self.site, DeviceID("bert")))
        var found: [DeviceKey: DeviceVisits] = [:]
        for (key, visits) in restored.visits { found[key] = visits }
        #expect(found.keys.map(\.device.text) == ["anna"])
        let stays = found[Self.key]?.stays ?? []
        #expect(stays.map(\.zone.id.text) == ["b"])
        #expect(stays.first?.lastInside == Self.position(50).at)
        #expect(found[Self.key]?.lastLocated == Self.position(50).at)
    }

    @Test("A device is still in the groups that it had not left, and in no other ones")
    func groups() {
        func entered(_ group: String, _ number: UInt64, _ device: String = "anna") -> GroupEntered {
            GroupEntered(
                visit: EventID(high: 1, low: number), site: Self.site, device: DeviceID(device),
                group: BeaconGroupID(group), floor: FloorID("ground"),
                entered: Self.position(Int(number)).at)
        }
        var restored = RestoredDevices()
        for stay in [entered("a", 1), entered("b", 2), entered("c", 3, "bert")] {
            restored.add(stay)
        }
        _ = restored.add(Self.position(50), appendedAt: Self.position(50).at)
        let first = entered("a", 1)
        restored.add(
            GroupLeft(
                visit: first.visit, site: Self.site, device: first.device, group: first.group,
                floor: first.floor, entered: first.entered, left: first.entered))
        restored.erase(DeviceKey(Self.site, DeviceID("bert")))
        #expect(restored.groups.map(\.key) == [Self.key])
        let stays = restored.groups.first?.groups.stays ?? []
        #expect(stays.map(\.group.text) == ["b"])
        #expect(stays.first?.entered == entered("b", 2).entered)
        #expect(stays.first?.lastHeard == Self.position(50).at)
    }
}
