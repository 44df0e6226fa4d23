import Devices
import Events
import Positioning
import SeededRandomness
import Simulation
import Site
import Testing

@Suite("Devices at rest, whose states are not stored with each scan") struct RestingDeviceTests {
    /// A simulated building whose devices are followed by the track filter.
    private static let building = SimulatedBuilding.make(seed: 11)
    private static let begin = Timestamp(milliseconds: 1_795_248_000_000)
    private static let site: SiteKnowledge = {
        let index = try! SiteIndex(building.document)
        let survey = SimulatedSurvey(of: building, seed: 12, start: begin)
        let kept = survey.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
        return SiteKnowledge(
            SiteSources(
                building.site, site: PublishedSite(version: 1, index: index),
                map: Script.announcement(hash: "map")),
            map: RadioMapBuilder.build(kept, site: index).map,
            positioners: [
                WorkingPositioner(positioner: Track(over: NearestNeighbours()), option: "track")
            ], Script.digests)
    }()

    /// A device that rests, walks and rests elsewhere, with a scan in four seconds.
    private static func day(_ seed: UInt64) -> [ScanRecorded] {
        let device = DeviceID("d")
        func rest(_ number: Int, from: Int, _ seconds: Double) -> [ScanRecorded] {
            SimulatedRest(
                in: building, seed: seed, device: device, number: number,
                start: begin.advanced(byMicroseconds: Int64(from) * 1_000_000),
                durationSeconds: seconds
            ).map(\.scan)
        }
        let walk = SimulatedWalk(
            in: building, seed: seed, device: device,
            start: begin.advanced(byMicroseconds: 300_000_000), durationSeconds: 60
        ).map(\.scan)
        return rest(1, from: 0, 290) + walk + rest(2, from: 370, 600)
    }

    /// Everything that a position says, so that two of them can be compared.
    private static func word(_ position: PositionEstimated?) -> String {
        position.map { "\($0)" } ?? "?"
    }

    @Test(
        "Devices that are read back before each scan give the same as one that is never read back",
        arguments: 0..<6 as Range<UInt64>)
    func readBack(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scans = Self.spoiled(Self.day(seed), &random)
        let whole = StoredDevices.run(scans, in: Self.site, word: Self.word) { _ in false }
        let always = StoredDevices.run(scans, in: Self.site, word: Self.word) { _ in true }
        let sometimes = StoredDevices.run(scans, in: Self.site, word: Self.word) { _ in
            Bool.random(using: &random)
        }
        #expect(always.lines == whole.lines)
        #expect(always.devices == whole.devices)
        #expect(sometimes.lines == whole.lines)
        #expect(sometimes.devices == whole.devices)
        #expect(whole.lines.contains("-"))
        #expect(10 * whole.memories < 9 * scans.count, "\(whole.memories) of \(scans.count)")
    }

    /// The scans with gaps, repeated ones, some that hear nothing or come out of order, late ones,
    /// and steps.
    private static func spoiled(
        _ scans: [ScanRecorded], _ random: inout SeededRandom
    ) -> [ScanRecorded] {
        var spoiled: [ScanRecorded] = []
        var gap = 0
        let isLong = Bool.random(using: &random)
        for (number, scan) in scans.enumerated() {
            var scan = scan
            gap -= 1
            // One scan is late, and yet newer than all before it.
            if isLong, number == 60 { gap = 85 }
            if isLong, number == 60 + 85 { Self.delay(&scan) }
            guard gap <= 0 else { continue }
            switch Int.random(in: 0..<60, using: &random) {
            case 0: gap = [3, 10, 30].randomElement(using: &random) ?? 3
            case 1: spoiled.append(contentsOf: [scan, scan])
            case 2: scan.wifi = []
            case 3: Self.delay(&scan)
            case 4: scan.at = scan.at.advanced(byMicroseconds: -6_000_000)
            case 5: scan.steps = Int.random(in: 0..<6, using: &random)
            case 6: scan.sentAt = scan.at.advanced(byMicroseconds: -500_000)
            default: break
            }
            // Two scans change places.
            if number % 40 == 39 { spoiled.insert(scan, at: max(0, spoiled.count - 1)) }
            spoiled.append(scan)
        }
        return spoiled
    }

    private static func delay(_ scan: inout ScanRecorded) {
        scan.at = scan.at.advanced(byMicroseconds: -301_000_000)
        scan.sentAt = nil
    }

    @Test("At rest a state is stored every twelve seconds, and as soon as the device moves")
    func stored() {
        let scans = Self.day(3)
        let outcome = StoredDevices.run(scans, in: Self.site) { _ in false }
        // Settling lasts two minutes at each place; the states of the walk are all stored.
        let settling = 2 * 120 / 4 + 60 / 4
        let resting = (290 - 120 + 600 - 120) / 12
        #expect(outcome.memories >= settling)
        #expect(outcome.memories < settling + 2 * resting, "\(outcome.memories)")
        #expect(outcome.visits < outcome.memories)
    }

    @Test("Steps end the serving of a state with the scan that counts them")
    func steps() throws {
        let prepared = try #require(Self.site.positioners.first?.prepared)
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        var previous: Timestamp?
        var (kept, counted) = (0, 0)
        for scan in Self.day(5) {
            var radio = RadioScan(scan)
            radio.previousAt = previous
            previous = radio.at
            radio.steps = scan.at < Self.begin.advanced(byMicroseconds: 280_000_000) ? 0 : 5
            let answer = prepared.locate(radio, state: state, seed: 0, scratch: &scratch)
            // Steps end the serving of a state at once.
            if radio.steps == 5 {
                #expect(answer.state != state)
                counted += 1
            } else if answer.state == state {
                kept += 1
            }
            state = answer.state
        }
        #expect(kept > 15)
        #expect(counted > 20)
    }

    @Test("A state serves only where the time of the scan before is known")
    func unknownPrevious() throws {
        let prepared = try #require(Self.site.positioners.first?.prepared)
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        for scan in Self.day(5) {
            let answer = prepared.locate(
                RadioScan(scan), state: state, seed: 0, scratch: &scratch)
            #expect(answer.state != state)
            state = answer.state
        }
    }
}
