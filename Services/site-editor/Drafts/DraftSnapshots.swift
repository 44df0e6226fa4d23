import Events
import Postgres
import Retrying
import ServiceHost
import Site
import Synchronization
import Wire

/// Stores drafts as documents from time to time, so that a starting process replays few edits. An
/// edit itself only writes what it changed.
///
/// A process of the release before knows drafts by their documents alone. So one is stored soon
/// after the last of several edits.
final class DraftSnapshots: Sendable {
    /// How long a draft has to rest before it is stored.
    private static let rest = Duration.seconds(2)
    /// It is stored without a rest after so many edits.
    private static let mostEdits = 100
    private static let pause = Duration.milliseconds(500)

    private struct Edited {
        var count = 0
        var last = ContinuousClock.now
    }

    private let store: SiteStore
    private let edited = Mutex<[SiteID: Edited]>([:])

    init(_ store: SiteStore) {
        self.store = store
        store.draftBell.listen { [weak self] site in self?.note(site) }
    }

    private func note(_ site: SiteID) {
        edited.withLock {
            $0[site, default: Edited()].count += 1
            $0[site]?.last = .now
        }
    }

    /// Journals what processes of the release before edited, then stores drafts until the task is
    /// cancelled.
    func keep(_ notices: Notices) async {
        await attemptUntilDone("Reading the edits of the release before", notices: notices) { _ in
            for site in try await store.all() where !Task.isCancelled {
                try await store.adopt(SiteID(site.id))
            }
        }
        await attemptUntilDone("Storing drafts", notices: notices) { retry in
            while !Task.isCancelled {
                for site in dequeueDue() {
                    do {
                        try await store.storeDraft(of: site)
                    } catch {
                        note(site)
                        throw error
                    }
                }
                retry.ended()
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func dequeueDue() -> [SiteID] {
        edited.withLock { edited in
            let due = edited.filter {
                $0.value.count >= Self.mostEdits || .now - $0.value.last >= Self.rest
            }.map(\.key)
            for site in due { edited[site] = nil }
            return due
        }
    }
}

extension SiteStore {
    /// Stores the present draft as a document, unless it is stored.
    func storeDraft(of site: SiteID) async throws {
        guard let draft = try await draft(of: site), draft.revision > 0 else { return }
        let rows = try await pool.query(
            """
            SELECT FROM site_editor.drafts
            WHERE site = $1 AND revision = $2 AND document IS NULL
            """, [.text(site.text), .int(draft.revision)])
        guard !rows.isEmpty else { return }
        try await pool.withConnection { try await keepWhole(draft, connection: $0) }
    }

    /// Stores a draft's document beside its revision.
    func keepWhole(_ draft: SiteDraft, connection: isolated PostgresConnection) throws {
        guard draft.revision > 0 else { return }
        try connection.query(
            """
            UPDATE site_editor.drafts SET document = $3, version = NULL
            WHERE site = $1 AND revision = $2
            """,
            [.text(draft.site.text), .int(draft.revision), .bytes(draft.document.json)])
    }

    /// Writes the journal of edits that have none.
    func adopt(_ site: SiteID) async throws {
        try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            guard let latest = try Self.latest(of: site, connection: connection) else { return }
            try adopt(latest, of: site, connection: connection)
        }
    }
}
