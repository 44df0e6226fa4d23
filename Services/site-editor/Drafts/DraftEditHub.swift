import Events
import HTTP
import Postgres
import Retrying
import ServiceHost
import Site
import Synchronization
import Wire

/// Notifies those who follow the edits of drafts in this process. Its own edits ring a bell.
/// For those of others, the database is asked a few times a second, once for all followed sites.
///
/// The journal itself is the queue: each follower reads it at their own pace.
final class DraftEditHub: Sendable {
    /// The most followers of the process, and those of one token or account.
    static let mostStreams = 200
    static let mostStreamsOfOne = 20
    private static let pause = Duration.milliseconds(250)
    static let keepAlive = Duration.seconds(15)

    /// The reason why a follower wakes up.
    enum Wake: Sendable {
        case edited, quiet, ended
    }

    private struct Waiter {
        var continuation: CheckedContinuation<Wake, Never>
        var site: SiteID
        /// The revision up to which the follower has read.
        var revision: Int
        var until: ContinuousClock.Instant
    }

    private struct State {
        var all = 0
        var byCaller: [String: Int] = [:]
        var bySite: [SiteID: Int] = [:]
        /// The newest revision of each followed site, as far as it is known here.
        var newest: [SiteID: Int] = [:]
        var gone: Set<SiteID> = []
        var number = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let store: SiteStore
    private let state = Mutex(State())

    init(_ store: SiteStore) {
        self.store = store
        store.draftBell.listen { [weak self] site in self?.ring(site) }
    }

    // MARK: Followers

    /// - Throws: a `Problem` where a limit is reached.
    func enter(_ site: SiteID, caller: String) throws(Problem) {
        let problem = state.withLock { state -> Problem? in
            if state.all >= Self.mostStreams {
                return Problem(
                    .tooManyStreams,
                    "\(Self.mostStreams) clients follow edits already.", retryAfterSeconds: 10)
            }
            if state.byCaller[caller, default: 0] >= Self.mostStreamsOfOne {
                return Problem(
                    .tooManyStreamsOfToken,
                    "You follow edits \(Self.mostStreamsOfOne) times already.",
                    retryAfterSeconds: 10)
            }
            state.all += 1
            state.byCaller[caller, default: 0] += 1
            state.bySite[site, default: 0] += 1
            return nil
        }
        if let problem { throw problem }
    }

    func leave(_ site: SiteID, caller: String) {
        state.withLock { state in
            state.all -= 1
            let left = (state.byCaller[caller] ?? 1) - 1
            state.byCaller[caller] = left > 0 ? left : nil
            let followers = (state.bySite[site] ?? 1) - 1
            state.bySite[site] = followers > 0 ? followers : nil
            if followers <= 0 {
                state.newest[site] = nil
                state.gone.remove(site)
            }
        }
    }

    var count: Int { state.withLock { $0.all } }

    /// Waits for an edit after the revision.
    func wait(_ site: SiteID, after revision: Int) async -> Wake {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wake = state.withLock { state -> Wake? in
                    if Task.isCancelled || state.gone.contains(site) { return .ended }
                    if state.newest[site, default: 0] > revision { return .edited }
                    state.waiters[number] = Waiter(
                        continuation: continuation, site: site, revision: revision,
                        until: .now + Self.keepAlive)
                    return nil
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.continuation.resume(returning: .ended)
        }
    }

    // MARK: News

    private func ring(_ site: SiteID) {
        guard let revision = store.cache.lastDraft(of: site)?.draft.revision else { return }
        note([site: revision], gone: [])
    }

    private func note(_ newest: [SiteID: Int], gone: Set<SiteID>) {
        let now = ContinuousClock.now
        let woken = state.withLock { state -> [(Waiter, Wake)] in
            for (site, revision) in newest where state.bySite[site] != nil {
                state.newest[site] = max(state.newest[site] ?? 0, revision)
            }
            state.gone.formUnion(gone.filter { state.bySite[$0] != nil })
            var woken: [(Waiter, Wake)] = []
            for (number, waiter) in state.waiters {
                let wake: Wake
                if state.gone.contains(waiter.site) {
                    wake = .ended
                } else if state.newest[waiter.site, default: 0] > waiter.revision {
                    wake = .edited
                } else if waiter.until <= now {
                    wake = .quiet
                } else {
                    continue
                }
                state.waiters[number] = nil
                woken.append((waiter, wake))
            }
            return woken
        }
        for (waiter, wake) in woken { waiter.continuation.resume(returning: wake) }
    }

    /// Looks for the edits of other processes until the task is cancelled.
    func run(_ notices: Notices) async {
        await attemptUntilDone("Looking for edits of drafts", notices: notices) { retry in
            while !Task.isCancelled {
                try await look()
                retry.ended()
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    func look() async throws {
        let sites = state.withLock { Array($0.bySite.keys) }
        guard !sites.isEmpty else { return }
        let newest = try await store.newestRevisions(of: sites)
        note(newest, gone: Set(sites).subtracting(newest.keys))
    }
}

extension SiteStore {
    /// The newest revisions of the drafts of those sites that are there.
    func newestRevisions(of sites: [SiteID]) async throws -> [SiteID: Int] {
        let rows = try await pool.read(
            """
            SELECT id, COALESCE((SELECT max(revision) FROM site_editor.drafts
                WHERE drafts.site = sites.id), 0) AS revision
            FROM site_editor.sites WHERE id = ANY ($1)
            """, [.textArray(sites.map(\.text))])
        var newest: [SiteID: Int] = [:]
        for row in rows { newest[SiteID(try row["id"])] = try row["revision"] }
        return newest
    }
}
