import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads
import Wire

/// Judges the positioners that a site has selected by its surveys and by taps, so that an
/// administrator sees whether one beside is better.
///
/// One site is judged at a time, and only when its radio map, its selection or its taps are other
/// ones than before. Several keepers may run: each site is judged by one of them.
struct ComparisonKeeper: Sendable {
    private static let longWork = LongWork("positioner-comparison")
    /// The time between two comparisons of the same site.
    static let pause = Duration.seconds(600)
    /// The same where only taps are other ones. They decide nothing, and come all day.
    static let pauseOfTaps = Duration.seconds(3_600)
    /// Each look counts the recent taps of all sites that select positioners.
    private static let tick = Duration.seconds(60)

    let sites: SiteDirectory
    let clock: EventClock
    let notices: Notices
    let maps: RadioMapStore
    let taps: TapStore
    let store: ComparisonStore
    let stock: CandidateStock
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard
    private let unknown = UnknownSites()

    func run() async {
        await attemptUntilDone("Comparing positioners", notices: notices) { retry in
            while !Task.isCancelled {
                try await removeWhatIsGone()
                if try await taps.hasTables() { try await compareWhatIsDue() }
                retry.ended()
                try? await Task.sleep(for: Self.tick)
            }
        }
    }

    /// Compares the positioners of each site where something has changed. A failure with one site
    /// does not delay the others; that site has its turn again after the pause.
    func compareWhatIsDue() async throws {
        for one in try await store.selecting(tapsSince: oldestTap) where !isResting(one) {
            let begin = clock.now
            do {
                guard try await compareIfDue(one) else { continue }
            } catch {
                if Task.isCancelled { throw error }
                try await store.putOff(one.site, at: begin)
                notices.onUnexpected("The positioners of \(one.site) can't be compared: \(error)")
            }
            // The work may have lasted for minutes.
            try await removeWhatIsGone()
        }
    }

    private var oldestTap: Timestamp {
        clock.now.advanced(byMicroseconds: -PositionersByTaps.microsecondsKept)
    }

    private func isResting(
        _ one: ComparisonStore.Selecting, _ pause: Duration = ComparisonKeeper.pause
    ) -> Bool {
        guard let triedAt = one.triedAt else { return false }
        // A clock that was set back lets no site wait for longer.
        return (0..<Int64(pause / .microseconds(1))).contains(clock.now - triedAt)
    }

    /// The figures that a site lacks.
    private struct Due {
        var candidates: [CandidatePositioner]
        /// The number of the selection.
        var revision: Int
        /// Names all that the figures by surveys are of.
        var mark: String
        /// Whether only taps are other ones than before. The figures by surveys stay then.
        var isOfTapsOnly: Bool
    }

    /// Nil where all figures are of the present map, selection and taps, or must wait.
    private func whatIsDue(_ one: ComparisonStore.Selecting) throws -> Due? {
        let selected = try PositionerSelected(json: one.selected)
        guard !selected.selection.beside.isEmpty else { return nil }
        let candidates = stock.candidates(for: selected.selection)
        let mark =
            "map \(one.radioMapVersion), selection \(selected.revision), "
            + "program \(whereaboutsVersion), by "
            + candidates.map(\.basis).joined(separator: "; ")
        let isOfTapsOnly = mark == one.mark
        let isWaiting =
            isOfTapsOnly
            ? one.taps == one.tapsMark || isResting(one, Self.pauseOfTaps) : isResting(one)
        guard !isWaiting else { return nil }
        return Due(
            candidates: candidates, revision: selected.revision, mark: mark,
            isOfTapsOnly: isOfTapsOnly)
    }

    /// - Returns: whether there was work.
    private func compareIfDue(_ one: ComparisonStore.Selecting) async throws -> Bool {
        guard try !PositionerSelected(json: one.selected).selection.beside.isEmpty else {
            if one.triedAt != nil { try await store.remove(one.site) }
            return false
        }
        guard try whatIsDue(one) != nil else { return false }
        let turn = store.turn(of: one.site)
        do {
            // Without the turn another copy is at it. With it, one may have ended just before.
            if try await turn.tryAcquire(),
                let now = try await store.selecting(tapsSince: oldestTap, of: one.site).first,
                let due = try whatIsDue(now)
            {
                try await compare(now, due)
            }
            await turn.release()
            return true
        } catch {
            await turn.release()
            throw error
        }
    }

    private func compare(_ one: ComparisonStore.Selecting, _ due: Due) async throws {
        // The time before the work: a site may be removed during it.
        let begin = clock.now
        guard let site = sites[whole: one.site]?.index, let map = try await maps.map(one.hash)
        else {
            return
        }
        let recent = try await taps.taps(of: one.site, since: oldestTap)
        let choice = try PositionerChosen(json: one.choice).positioner
        let candidates = due.candidates
        let byTaps = await Self.longWork.run {
            PositionersByTaps(candidates, on: map, site: site, choice: choice, taps: recent)?.json
        }
        guard let byTaps else { return }
        if due.isOfTapsOnly {
            try await store.keep(
                byTaps: byTaps, of: one.site, mark: due.mark, tapsMark: one.taps, madeAt: begin)
            return
        }
        let bySurveys = await Self.longWork.run {
            PositionersBySurveys(candidates, on: map, site: site, choice: choice)
        }
        guard let bySurveys else { return }
        let kept = KeptComparison(
            basis: ComparisonStanding.Basis(
                radioMapVersion: one.radioMapVersion, revision: due.revision),
            madeAt: begin, served: bySurveys.served, promoted: bySurveys.promoted,
            bySurveys: bySurveys.json, byTaps: byTaps)
        try await store.keep(kept, of: one.site, mark: due.mark, tapsMark: one.taps)
    }

    // MARK: Removed sites

    /// Removes the figures of sites that were removed, also of those that were made again since.
    func removeWhatIsGone() async throws {
        guard guarding.fits else { return unknown.forget() }
        for (site, madeAt) in try await store.sites() {
            let wasRemovedSince = sites.removal(of: site).map { madeAt < $0 } ?? false
            let isGone = unknown.isGone(site, from: sites, at: clock.now)
            if isGone || wasRemovedSince { try await store.remove(site) }
        }
    }
}
