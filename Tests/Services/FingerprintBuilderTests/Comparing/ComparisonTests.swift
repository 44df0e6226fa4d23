import EventLog
import Events
import Geometry
import LogViews
import Positioning
import Postgres
import RadioMapCare
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

@Suite(
    "Comparing the positioners of a site",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ComparisonTests {
    private static let path = "/v1/sites/\(MapCampus.site)/positioner/comparison"
    private static let stock = CandidateStock([
        CandidatePositioner(NearestNeighbours(), name: "knn", basis: "knn"),
        CandidatePositioner(Far(), name: "far", basis: "far"),
        CandidatePositioner("mine", obstacle: .program),
    ])

    private let campus: MapCampus
    private let store: ComparisonStore
    private let selections: SelectionStore
    private let keeper: ComparisonKeeper
    private let app: Served
    private let surveyor: String

    init() async throws {
        campus = try await MapCampus()
        let bench = campus.bench
        store = ComparisonStore(pool: campus.pool)
        selections = SelectionStore(pool: campus.pool, bell: OutboxBell())
        keeper = ComparisonKeeper(
            sites: bench.sites, clock: bench.clock, notices: bench.notices, maps: campus.store,
            taps: TapStore(pool: campus.pool), store: store, stock: Self.stock,
            guarding: campus.guarding)
        app = try bench.serve(
            ComparisonRoutes(sites: bench.sites, selections: selections, store: store).all)
        surveyor = bench.issue(.surveyor, site: MapCampus.site)
    }

    /// Six access points along a corridor of 60 m, each weaker the farther away it is.
    private static func scan(_ number: Int, id: EventID, at x: Double) -> ScanRecorded {
        let at = ServiceBench.start.advanced(byMicroseconds: Int64(number) * 30_000_000)
        return ScanRecorded(
            id: id, site: MapCampus.site, device: DeviceID("tablet"),
            scanner: ScannerID("tablet"), at: at, receivedAt: at,
            wifi: (0..<6).map {
                WiFiReading(
                    bssid: HardwareAddress(value: UInt64(1 + $0)),
                    rssi: Int(-40 - 0.8 * abs(x - 12 * Double($0))))
            })
    }

    private static let surveys = (0..<30).map { number in
        SurveyRecorded(
            scan: scan(number, id: EventID(high: 5, low: UInt64(number)), at: 2 * Double(number)),
            place: MapCampus.at("north-0", 2 * Double(number)), author: "a surveyor")
    }

    private static func tap(_ number: Int, seconds: Int64 = 0) -> TapRecorded {
        var scan = scan(number, id: EventID(high: 6, low: UInt64(number)), at: 4 * Double(number))
        scan.at = ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000)
        scan.receivedAt = scan.at
        return TapRecorded(
            scan: scan, place: MapCampus.at("north-0", 4 * Double(number)), author: "visitor")
    }

    private static func records(_ events: [some WireEvent]) -> [LogRecord] {
        events.map { $0.record(source: "/test") }
    }

    private func select(
        _ served: String, _ beside: [String], at site: SiteID = MapCampus.site
    ) async throws {
        _ = try await selections.select(at: site, by: nil, at: campus.bench.clock.now) { _ in
            PositionerSelection(served: served, beside: beside)
        }
    }

    /// Builds the map of all surveys.
    private func build() async throws -> RadioMapAnnounced {
        try await campus.apply(Self.records(Self.surveys))
        return try await campus.build()
    }

    private func choose(_ map: RadioMapAnnounced) async throws {
        let chosen = PositionerChosen(
            site: map.site, radioMapVersion: map.version, hash: map.hash, positioner: "knn",
            meanErrorMetres: nil, floorHit: nil, chosenAt: campus.bench.clock.now)
        try await campus.store.publish(chosen, source: "/test")
    }

    private func show() async throws -> Answer {
        try await app.send("GET", Self.path, token: surveyor)
    }

    @Test("The answer says what lacks, step by step, and then which positioner is worse")
    func steps() async throws {
        #expect(try await show()["reason"] == "nothing-beside")
        try await select("knn", ["far", "mine"])
        #expect(try await show()["reason"] == "no-radio-map")
        let map = try await build()
        try await keeper.compareWhatIsDue()
        #expect(try await show()["reason"] == "new-radio-map")
        try await choose(map)
        let waiting = try await show()
        #expect(waiting["reason"] == "in-work" && waiting["state"] == "waiting")
        #expect(waiting["comparison"] == "null" && waiting["detail"]?.isEmpty == false)
        try await keeper.compareWhatIsDue()
        let ready = try await show()
        #expect(ready.status == 200 && ready["state"] == "ready", "\(ready.text)")
        #expect(ready["reason"] == nil && ready["comparison.radioMapVersion"] == "1")
        #expect(ready["comparison.revision"] == "1" && ready["comparison.served"] == "knn")
        #expect(ready["comparison.bySurveys.scans"] == "30")
        #expect(ready["comparison.bySurveys.disturbed"] == "true")
        let (first, second) = (
            "comparison.bySurveys.positioners.0", "comparison.bySurveys.positioners.1"
        )
        #expect(ready["\(first).positioner"] == "knn" && ready["\(first).verdict"] == nil)
        #expect(ready["\(first).trials"] == "30" && ready["\(first).floorHit"] == "1")
        #expect(ready["\(second).positioner"] == "far" && ready["\(second).verdict"] == "worse")
        #expect(Double(ready["\(second).difference.lower95"] ?? "") ?? 0 > 300)
        #expect(ready["comparison.bySurveys.untried.0.positioner"] == "mine")
        #expect(ready["comparison.bySurveys.untried.0.reason"] == "program")
        #expect(ready["comparison.promote"] == "null" && ready["comparison.byTaps"] == "null")
        #expect(campus.bench.unexpected.isEmpty, "\(campus.bench.unexpected)")
    }

    @Test("One beside that is better is the one to promote; another selection makes it outdated")
    func better() async throws {
        try await select("far", ["knn"])
        try await choose(try await build())
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.promote"] == "knn")
        try await select("knn", ["far"])
        let outdated = try await show()
        #expect(outdated["state"] == "outdated" && outdated["reason"] == "in-work")
        #expect(outdated["comparison.revision"] == "1")
        #expect(outdated["comparison.promote"] == "null", "knn is served by now")
        try await select("knn", [])
        #expect(try await show()["reason"] == "nothing-beside")
        campus.bench.pass(seconds: 600)
        try await keeper.compareWhatIsDue()
        let alone = try await show()
        #expect(alone["state"] == "waiting" && alone["comparison"] == "null")
    }

    @Test("Recent taps count after an hour, each author once at a place; nothing new, no work")
    func taps() async throws {
        try await select("knn", ["far"])
        try await choose(try await build())
        try await keeper.compareWhatIsDue()
        let before = try await show()["comparison.madeAt"]
        let old = Self.tap(11, seconds: -31 * 86_400)
        var again = Self.tap(3)
        again.scan.id = EventID(high: 6, low: 40)
        try await campus.apply(Self.records((0..<10).map { Self.tap($0) } + [old, again]))
        // The figures by surveys stay, where only taps are other ones.
        try await campus.pool.query(
            """
            UPDATE radio_maps.positioner_comparisons SET by_surveys = replace(
                by_surveys, '"scans":30', '"scans":29')
            """)
        campus.bench.pass(seconds: 3_000)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.byTaps"] == "null", "the pause is not over")
        campus.bench.pass(seconds: 600)
        try await keeper.compareWhatIsDue()
        let after = try await show()
        #expect(after["comparison.bySurveys.scans"] == "29", "\(after.text)")
        #expect(after["comparison.byTaps.scans"] == "10", "\(after.text)")
        #expect(after["comparison.byTaps.authors"] == "1")
        #expect(after["comparison.byTaps.positioners.1.verdict"] == "undecided")
        #expect(after["comparison.madeAt"] != before)
        campus.bench.pass(seconds: 3_600)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.madeAt"] == after["comparison.madeAt"])
        // Those of an erased device go.
        try await campus.pool.query("DELETE FROM fingerprint_builder.taps")
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.byTaps"] == "null")
    }

    @Test("A site that another copy compares is left to it, and what that has made is not redone")
    func turns() async throws {
        try await select("knn", ["far"])
        try await choose(try await build())
        let turn = store.turn(of: MapCampus.site)
        #expect(try await turn.tryAcquire())
        try await keeper.compareWhatIsDue()
        #expect(try await show()["state"] == "waiting")
        await turn.release()
        try await keeper.compareWhatIsDue()
        #expect(try await show()["state"] == "ready")
    }

    @Test("Figures are as old as the beginning of the work, during which a site may be removed")
    func beginning() async throws {
        let bench = campus.bench
        let slow = CandidateStock([
            CandidatePositioner(NearestNeighbours(), name: "knn", basis: "knn"),
            CandidatePositioner(
                Far(during: { bench.pass(seconds: 5) }), name: "far", basis: "far"),
        ])
        let keeper = ComparisonKeeper(
            sites: bench.sites, clock: bench.clock, notices: bench.notices, maps: campus.store,
            taps: TapStore(pool: campus.pool), store: store, stock: slow,
            guarding: campus.guarding)
        try await select("knn", ["far"])
        try await choose(try await build())
        let begin = bench.clock.now
        try await keeper.compareWhatIsDue()
        #expect(bench.clock.now > begin)
        #expect(try await store.sites().first?.madeAt == begin)
    }

    @Test("Figures of a former program are made anew, although they are ready")
    func formerProgram() async throws {
        try await select("knn", ["far"])
        try await choose(try await build())
        try await keeper.compareWhatIsDue()
        try await campus.pool.query(
            """
            UPDATE radio_maps.positioner_comparisons
            SET mark = replace(mark, $1, 'program 0.0.1'), promoted = 'far'
            """, [.text("program \(whereaboutsVersion)")])
        #expect(try await show()["comparison.promote"] == "far")
        campus.bench.pass(seconds: 600)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.promote"] == "null")
    }

    @Test("A site whose map can't be read is reported, waits for a pause, and delays no other")
    func unreadable() async throws {
        let broken = SiteID("broken")
        campus.bench.publish(try SiteIndex(MapCampus.document), as: broken)
        try await campus.pool.query(
            "INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ('bad', 'no map'::bytea)")
        try await campus.pool.query(
            """
            INSERT INTO radio_maps.radio_maps
                (site, version, hash, site_version, surveys, built_at, event)
            VALUES ('broken', 1, 'bad', 1, 0, clock_timestamp(), ''::bytea)
            """)
        try await campus.pool.query(
            "INSERT INTO radio_maps.choices (site, version, event) VALUES ('broken', 1, '')")
        try await select("knn", ["far"], at: broken)
        try await select("knn", ["far"])
        try await choose(try await build())
        for _ in 0..<2 { try await keeper.compareWhatIsDue() }
        #expect(campus.bench.unexpected.count { $0.contains("positioners of broken") } == 1)
        #expect(try await show()["state"] == "ready")
        let administrator = campus.bench.issue(.administrator)
        let failed = try await app.send(
            "GET", "/v1/sites/broken/positioner/comparison", token: administrator)
        #expect(failed["state"] == "waiting" && failed["reason"] == "failed")
        #expect(failed["comparison"] == "null" && failed["triedAt"] != nil)
        campus.bench.pass(seconds: 600)
        try await keeper.compareWhatIsDue()
        #expect(campus.bench.unexpected.count { $0.contains("positioners of broken") } == 2)
        let again = try await app.send(
            "GET", "/v1/sites/broken/positioner/comparison", token: administrator)
        #expect(again["triedAt"] == campus.bench.clock.now.text)
    }

    @Test("An attempt that fails leaves the figures and their time; only `triedAt` is its own")
    func failedAttempt() async throws {
        try await select("knn", ["far"])
        try await choose(try await build())
        #expect(try await show()["triedAt"] == nil, "nothing was tried")
        try await keeper.compareWhatIsDue()
        let made = campus.bench.clock.now
        #expect(try await show()["triedAt"] == made.text)
        campus.bench.pass(seconds: 60)
        try await store.putOff(MapCampus.site, at: campus.bench.clock.now)
        let failed = try await show()
        #expect(failed["state"] == "outdated" && failed["reason"] == "failed", "\(failed.text)")
        #expect(failed["comparison.madeAt"] == made.text)
        #expect(failed["triedAt"] == campus.bench.clock.now.text)
        // It waits for a whole pause from the attempt on, and not from the figures on.
        campus.bench.pass(seconds: 560)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.madeAt"] == made.text)
        campus.bench.pass(seconds: 40)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["comparison.madeAt"] == campus.bench.clock.now.text)
    }

    @Test("An attempt of the release before, which knew no `tried_at`, counts, too")
    func formerRelease() async throws {
        try await select("knn", ["far"])
        try await choose(try await build())
        try await keeper.compareWhatIsDue()
        campus.bench.pass(seconds: 700)
        let now = campus.bench.clock.now
        try await campus.pool.query(
            "UPDATE radio_maps.positioner_comparisons SET mark = '', made_at = $1",
            [.timestamp(microseconds: now.microseconds)])
        #expect(try await show()["triedAt"] == now.text)
        let before = campus.bench.clock.now
        campus.bench.pass(seconds: 500)
        try await keeper.compareWhatIsDue()
        #expect(try await show()["triedAt"] == before.text)
    }

    @Test("The figures of a removed site go, also if it was made again; not with a lost log")
    func removed() async throws {
        let published = PublishedSite(version: 1, index: try SiteIndex(MapCampus.document))
        let basis = ComparisonStanding.Basis(radioMapVersion: 1, revision: 1)
        func keep() async throws {
            let kept = KeptComparison(
                basis: basis, madeAt: campus.bench.clock.now, served: "knn", promoted: nil,
                bySurveys: nil, byTaps: nil)
            try await store.keep(kept, of: MapCampus.site, mark: "", tapsMark: "")
        }
        try await keep()
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().count == 1)
        campus.bench.pass(seconds: 10)
        campus.bench.sites.replace(
            with: [MapCampus.site: published],
            removedAt: [MapCampus.site: campus.bench.clock.now])
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().isEmpty)
        campus.bench.pass(seconds: 10)
        try await keep()
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().count == 1, "those of the new site stay")
        campus.bench.sites.replace(with: [:], removed: [MapCampus.site])
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().isEmpty)
        try await keep()
        campus.guarding.set(.anotherLog, logID: "the log", newest: 0)
        try await keeper.removeWhatIsGone()
        #expect(try await store.sites().count == 1, "the log may have lost its sites")
    }

    @Test("Surveyors of the site see the figures, and nobody else's are shown")
    func roles() async throws {
        let visitor = campus.bench.issue(.visitor, site: MapCampus.site)
        let refused = try await app.send("GET", Self.path, token: visitor)
        #expect(refused.status == 403 && refused.code == "role-not-allowed")
        let stranger = campus.bench.issue(.surveyor, site: SiteID("elsewhere"))
        let foreign = try await app.send("GET", Self.path, token: stranger)
        #expect(foreign.status == 403 && foreign.code == "site-not-yours")
        let administrator = campus.bench.issue(.administrator)
        let unknown = try await app.send(
            "GET", "/v1/sites/elsewhere/positioner/comparison", token: administrator)
        #expect(unknown.status == 404 && unknown.code == "site-unknown")
    }
}

/// Always answers the same place, far from all surveys.
private struct Far: Positioner {
    let name = "far"
    /// Runs while it is prepared.
    var during: @Sendable () -> Void = {}

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        during()
        return Prepared()
    }

    private struct Prepared: PreparedPositioner {
        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            let place = Estimate.Place(
                floor: FloorID("north-0"), point: Point(x: 900, y: 3), room: nil,
                covariance: Estimate.Covariance(xx: 1, xy: 0, yy: 1), radius68: 1, radius95: 2)
            return (Estimate(state: .located, place: place), state)
        }
    }
}
