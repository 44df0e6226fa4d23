import Devices
import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

/// A walk of half an hour, during which 50 things are published. They are alternately a radio map
/// of other surveys, and a version of the site with the same ground.
@Suite("Tracks over new radio maps and versions of a site") struct TrackSurvivalTests {
    private static let publications = 50
    private static let scansPerPublication = 8
    private static let maps = 4
    private static let track = Track(over: NearestNeighbours())

    private let building = SimulatedBuilding.make(seed: 31)
    private let maps: [RadioMap]
    private let sites: [SiteIndex]
    private let scans: [ScanRecorded]
    /// By map, prepared once for the first version of the site.
    private let tracks: [any PreparedPositioner]
    private let single: [any PreparedPositioner]

    init() throws {
        let survey = SimulatedSurvey(
            of: building, seed: 32, start: Timestamp(milliseconds: 1_780_000_000_000))
        let walk = SimulatedWalk(
            in: building, seed: 33, device: DeviceID("walker"), start: survey.end,
            durationSeconds: 1_800, noiseSigma: 6)
        scans = walk.map(\.scan)
        // All versions have the same rooms, which are the ground of a track.
        var document = building.document
        sites = try (0...Self.publications / 2).map { version in
            document.name = "House \(version)"
            for index in document.rooms.indices {
                document.rooms[index].name = "Room \(index), as of version \(version)"
            }
            return try SiteIndex(document)
        }
        let (first, surveys) = (sites[0], Array(survey))
        // Each map has another direction of every other point.
        maps = (0..<Self.maps).map { direction in
            let kept = surveys.enumerated().filter {
                $0.offset % 4 == direction && $0.offset / 4 % 2 == 0
            }
            return RadioMapBuilder.build(kept.map(\.element), site: first).map
        }
        tracks = maps.map { Self.track.prepare($0, site: first) }
        single = maps.map { NearestNeighbours().prepare($0, site: first) }
    }

    /// The number of the publication that holds at a scan; 0 is the first state of the site.
    private func publication(at scan: Int) -> Int {
        min(Self.publications, scan / Self.scansPerPublication)
    }

    private func map(of publication: Int) -> Int { (publication + 1) / 2 % Self.maps }

    /// The knowledge of a locator after a publication.
    private func knowledge(_ publication: Int, known: SiteKnowledge?) -> SiteKnowledge {
        let version = publication / 2
        let map = map(of: publication)
        let announced = RadioMapAnnounced(
            site: building.site, version: (publication + 1) / 2 + 1, hash: "map \(map)",
            byteCount: 0, siteVersion: 1, surveyOffsets: [], builderVersion: "1",
            builtAt: Timestamp(microseconds: 0), fingerprints: 0, accessPoints: 0)
        return SiteKnowledge(
            SiteSources(
                building.site, site: PublishedSite(version: version + 1, index: sites[version]),
                map: announced),
            map: maps[map],
            positioners: [WorkingPositioner(positioner: Self.track, option: Self.track.name)],
            known: known, Script.digests)
    }

    /// The knowledge of a locator after each publication, made as it follows the log.
    private func allKnowledge() -> [SiteKnowledge] {
        (0...Self.publications).reduce(into: []) { all, publication in
            all.append(knowledge(publication, known: all.last))
        }
    }

    /// The positions that the locator's code gives.
    ///
    /// - Parameter forgets: whether each publication makes the device a new one.
    private func published(
        _ knowledge: [SiteKnowledge], forgets: Bool = false
    ) -> [PositionEstimated?] {
        var (device, scratch) = (Device(), DeviceScratch())
        var current = 0
        return scans.enumerated().map { index, scan in
            if publication(at: index) != current {
                current = publication(at: index)
                if forgets { device = Device() }
            }
            let located = device.decide(
                scan, in: knowledge[current], by: Script.rules, locatedAt: scan.receivedAt,
                scratch: &scratch)
            _ = device.evolve(located)
            return located.served
        }
    }

    /// The scan with the time of the one before it, as devices state it.
    private func radio(_ index: Int) -> RadioScan {
        var radio = RadioScan(scans[index])
        radio.previousAt = index > 0 ? scans[index - 1].correctedAt : nil
        return radio
    }

    /// The estimates of the maps' own tracks, which get the state from the scan before, whatever
    /// map that had. They know nothing of later versions of the site.
    private func carried() -> [Estimate] {
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        return scans.enumerated().map { index, scan in
            let answer = tracks[map(of: publication(at: index))].locate(
                radio(index), state: state, seed: scan.id.low, scratch: &scratch)
            state = answer.state
            return answer.estimate
        }
    }

    private func isSame(_ position: PositionEstimated?, _ estimate: Estimate) -> Bool {
        guard let position else { return false }
        return position.state == estimate.state && position.floor == estimate.place?.floor
            && position.room == estimate.place?.room && position.x == estimate.place?.point.x
            && position.y == estimate.place?.point.y
            && position.radius95 == estimate.place?.radius95
    }

    @Test(
        "Positions are those of the new map with the same state, and the site's version is nothing")
    func survives() {
        #expect(publication(at: scans.count - 1) == Self.publications)
        let knowledge = allKnowledge()
        let (published, carried) = (published(knowledge), carried())
        let changed = scans.indices.filter { !isSame(published[$0], carried[$0]) }
        #expect(changed.isEmpty, "scans \(changed)")
        // A locator that began anew would be noticed.
        let forgetful = self.published(knowledge, forgets: true)
        let restarted = scans.indices.filter { !isSame(forgetful[$0], carried[$0]) }
        #expect(restarted.count > Self.publications, "\(restarted.count) scans")
    }

    @Test("A new map moves a track by less than it moves single scans")
    func moves() {
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        var (ofTracks, ofScans, count) = (0.0, 0.0, 0)
        for (index, scan) in scans.enumerated() {
            let (radio, seed) = (radio(index), scan.id.low)
            let now = map(of: publication(at: index))
            let before = map(of: publication(at: max(0, index - 1)))
            let answer = tracks[now].locate(radio, state: state, seed: seed, scratch: &scratch)
            if now != before {
                let old = tracks[before].locate(
                    radio, state: state, seed: seed, scratch: &scratch
                ).estimate
                if let moved = distance(old, answer.estimate),
                    let alone = distance(single[before].locate(radio), single[now].locate(radio))
                {
                    ofTracks += moved
                    ofScans += alone
                    count += 1
                }
            }
            state = answer.state
        }
        #expect(count >= Self.publications / 2 - 2)
        #expect(ofTracks <= ofScans, "\(ofTracks) m and \(ofScans) m over \(count) new maps")
    }

    private func distance(_ one: Estimate, _ other: Estimate) -> Double? {
        guard let first = one.place?.point, let second = other.place?.point else { return nil }
        return first.distance(to: second)
    }
}
