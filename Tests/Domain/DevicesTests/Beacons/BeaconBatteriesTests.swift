import Devices
import Events
import Geometry
import SampleSites
import Site
import Testing

@Suite struct BeaconBatteriesTests {
    private static let door = BeaconID("door")

    private static func level(_ percent: Int, _ seconds: Int) -> BeaconBatteryReported {
        BeaconBatteryReported(
            site: SampleSite.id, beacon: door, percent: percent, at: Script.moment(seconds))
    }

    @Test("A level is news if it changed, at most once in ten minutes, and each day in any case")
    func news() {
        var batteries = BeaconBatteries()
        func isNews(_ percent: Int, _ seconds: Int, now: Int? = nil) -> Bool {
            let level = Self.level(percent, seconds)
            let isNews = batteries.note(level, now: Script.moment(now ?? seconds))
            if isNews { batteries.apply(level) }
            return isNews
        }
        #expect(isNews(80, 0))
        #expect(!isNews(80, 60) && !isNews(79, 599))
        #expect(isNews(79, 600))
        #expect(!isNews(79, 86_999))
        #expect(isNews(79, 87_000))
        // A spool that comes late.
        #expect(!isNews(99, 1_000, now: 87_010))
        #expect(batteries[SampleSite.id].mapValues(\.percent) == [Self.door: 79])
    }

    @Test("A level from a clock that was far ahead does not keep the next ones away")
    func ahead() {
        let (hour, year) = (3_600, 365 * 86_400)
        var batteries = BeaconBatteries()
        func isNews(_ percent: Int, _ seconds: Int, now: Int) -> Bool {
            batteries.note(Self.level(percent, seconds), now: Script.moment(now))
        }
        func percent() -> Int? { batteries[SampleSite.id][Self.door]?.percent }
        #expect(!isNews(80, hour + 1, now: 0))
        // The locator's clock is wrong, too. First the transaction fails, then it does not.
        #expect(isNews(80, year, now: year))
        #expect(isNews(79, 10, now: 10))
        batteries.apply(Self.level(80, year))
        #expect(percent() == 80 && isNews(78, 700, now: 700))
        #expect(!isNews(77, 710, now: 710), "the other one is on its way")
        batteries.apply(Self.level(78, 700))
        #expect(percent() == 78 && !isNews(77, 720, now: 720))
        #expect(isNews(77, 1_300, now: 1_300))
        // Clocks may differ by an hour.
        batteries.apply(Self.level(76, 1_300 + hour))
        batteries.apply(Self.level(75, 1_300))
        #expect(percent() == 76 && !isNews(75, 1_300, now: 1_300))
    }

    @Test("A level on its way to the log is not repeated, until its transaction must have failed")
    func announced() {
        var batteries = BeaconBatteries()
        func note(_ seconds: Int) -> Bool {
            batteries.note(Self.level(80, seconds), now: Script.moment(seconds))
        }
        #expect(note(0))
        #expect(!note(5) && !note(59))
        #expect(note(60))
        batteries.apply(Self.level(80, 60))
        #expect(!note(200))
        // Another process had announced an older one.
        batteries.apply(Self.level(70, 30))
        #expect(batteries[SampleSite.id][Self.door]?.percent == 80)
        batteries.remove(Self.door, at: SampleSite.id)
        #expect(batteries.all.isEmpty && note(201))
    }

    @Test("A scan has the batteries of beacons with a record of their own, also where it is late")
    func scanned() throws {
        let other = EventID(high: 7, low: 7)
        var document = SampleSite.index.document
        document.beacons = [
            SiteBeacon(
                id: Self.door, floor: SampleSite.ground, point: [5, 3], uuid: Script.region,
                major: 1, minor: 1, batteryByte: .high),
            SiteBeacon(
                id: BeaconID("any-major"), floor: SampleSite.ground, point: [5, 3],
                uuid: Script.region, minor: 2),
            SiteBeacon(
                id: BeaconID("all"), floor: SampleSite.ground, point: [5, 3], uuid: other,
                batteryByte: .high),
        ]
        var script = Script()
        script.site = Script.site(index: try SiteIndex(document))
        func batteries(
            _ number: Int, _ letter: Character, _ major: UInt16
        ) -> [BeaconBatteryReported] {
            var scan = Script.scan(number, letter, of: "d")
            scan.ble = [
                BluetoothReading(uuid: Script.region, major: major, minor: 1, rssi: -60),
                BluetoothReading(uuid: Script.region, major: major, minor: 2, rssi: -60),
                BluetoothReading(uuid: other, major: major, minor: 1, rssi: -60),
            ]
            guard case .located(let located) = script.decide(scan) else { return [] }
            return located.batteries
        }
        // The major's other byte is 1, and the battery 80 percent.
        #expect(batteries(100, "A", 0x5001) == [Self.level(80, 500)])
        #expect(batteries(101, "a", 0x4F01) == [Self.level(79, 505 - 400)])
        // A byte above 100 is no percentage.
        #expect(batteries(102, "A", 0xFF01).isEmpty)
    }
}
