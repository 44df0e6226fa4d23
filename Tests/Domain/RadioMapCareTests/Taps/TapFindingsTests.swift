import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("What taps say about a radio map") struct TapFindingsTests {
    private static let site = SimulatedMap.site
    private static let honest = TapBench.honest()

    /// Surveys' own scans, stated at a place far from where they were made.
    private static func misplaced(_ authors: [String]) throws -> [TapRecorded] {
        let floor = try #require(site.document.floors.first).id
        let far = SimulatedMap.surveys(where: { $0 == floor && $1.x > 40 })
        try #require(far.count >= authors.count)
        let near = try #require(
            SimulatedMap.surveys(where: { $0 == floor && $1.x < 15 }).first)
        return authors.enumerated().map { number, author in
            TapBench.tap(far[number].scan, number, at: near.place, author: author)
        }
    }

    @Test("Nothing, where visitors say truly where they are")
    func truth() {
        let findings = TapBench.findings(Self.honest)
        #expect(Self.honest.count > 500)
        #expect(findings.places.isEmpty)
        #expect(findings.changes.filter { $0.source == .taps }.isEmpty)
    }

    @Test("A place is named when three people disagree with it; two, or one thrice, are too few")
    func named() throws {
        let three = TapBench.findings(try Self.misplaced(["one", "two", "three"]))
        let place = try #require(three.places.first)
        #expect(three.places.count == 1 && place.authors == 3 && place.taps == 3)
        #expect(place.agreeingAuthors == 0 && place.point.x < 15)
        #expect(place.since == TapBench.later)
        for authors in [["one", "two"], ["one", "one", "one"], []] {
            #expect(TapBench.findings(try Self.misplaced(authors)).places.isEmpty)
        }
    }

    @Test("A place comes before those of more people who disagree in many places")
    func voices() {
        // Outside of the floor, where each tap disagrees.
        let floor = Self.site.document.floors[0].id
        let honest = (0..<3).map { number in
            TapBench.tap(
                SimulatedMap.surveys[0].scan, number, at: .metres(floor: floor, x: 5_000, y: 1),
                author: "honest-\(number)")
        }
        let lies = (0..<100).map { number in
            TapBench.tap(
                SimulatedMap.surveys[0].scan, 10 + number,
                at: .metres(floor: floor, x: 6_000 + Double(number / 5) * 4, y: 1),
                author: "liar-\(number % 10)")
        }
        let places = TapBench.findings(honest + lies).places
        #expect(places.count == 21 && places.first?.point.x == 5_000)
        #expect(places.first?.voices == 3 && places.last?.authors == 5)
        #expect(abs((places.last?.voices ?? 0) - 0.5) < 1e-9)
    }

    @Test("A place is not named where as many people agree with its surveys")
    func agreeing() throws {
        let wrong = try Self.misplaced(["one", "two", "three"])
        let place = wrong[0].place
        let here = try #require(SimulatedMap.surveys.first { $0.place == place })
        let right = ["four", "five", "six"].enumerated().map { number, author in
            TapBench.tap(here.scan, 10 + number, at: place, author: author)
        }
        #expect(TapBench.findings(wrong + right).places.isEmpty)
        let outvoted = try #require(
            TapBench.findings(wrong + right.prefix(2)).places.first)
        #expect(outvoted.authors == 3 && outvoted.agreeingAuthors == 2)
    }

    @Test("A survey that is newer than the taps of its place answers them")
    func answered() throws {
        let wrong = try Self.misplaced(["one", "two", "three"])
        var survey = try #require(SimulatedMap.surveys.first { $0.place == wrong[0].place })
        survey.scan.id = EventID(high: 78, low: 1)
        survey.scan.receivedAt = TapBench.later.advanced(byMicroseconds: 60_000_000)
        let findings = TapFindings(
            taps: wrong, surveys: SimulatedMap.surveys + [survey], judge: TapBench.judge,
            site: Self.site)
        #expect(findings.places.isEmpty)
    }

    @Test("Access points that were exchanged, went or came are noticed, and nothing else")
    func changes() throws {
        let addresses = SimulatedMap.building.accessPoints.map(\.bssid)
        // Those that most taps hear, so that three cells have heard each.
        var heard: [HardwareAddress: Int] = [:]
        for tap in Self.honest {
            for reading in tap.scan.wifi where reading.rssi >= -70 {
                heard[reading.bssid, default: 0] += 1
            }
        }
        let known = addresses.sorted { (heard[$1] ?? 0, $0) < (heard[$0] ?? 0, $1) }
        let (gone, replaced) = (known[0], known[1])
        let new = HardwareAddress(value: 0x0200_0000_FFFF)
        let taps = Self.honest.map { tap in
            var tap = tap
            tap.scan.wifi.removeAll { $0.bssid == gone }
            for index in tap.scan.wifi.indices where tap.scan.wifi[index].bssid == replaced {
                tap.scan.wifi[index].bssid = new
            }
            return tap
        }
        let found = TapBench.findings(taps).changes.filter { $0.source == .taps }
        let kinds = Dictionary(
            found.map { ($0.change.transmitter, $0.change.kind) }, uniquingKeysWith: { $1 })
        #expect(
            kinds == [
                .wifi(gone): .vanished, .wifi(replaced): .vanished, .wifi(new): .appeared,
            ])
        // One person's taps alone say nothing, however many there are.
        let alone = taps.map { tap in
            TapRecorded(scan: tap.scan, place: tap.place, author: "one")
        }
        let ofOne = TapBench.findings(alone)
        #expect(ofOne.changes.isEmpty && ofOne.places.isEmpty)
    }

    @Test("Sessions that lie together about their places show no change")
    func lies() throws {
        let places = Self.honest.map(\.place)
        let lies = Self.honest.enumerated().map { number, tap in
            TapRecorded(
                scan: tap.scan, place: places[(number + places.count / 2) % places.count],
                author: tap.author)
        }
        let findings = TapBench.findings(lies)
        #expect(findings.changes.filter { $0.source == .taps }.isEmpty)
    }
}
