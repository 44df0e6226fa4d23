import Events
import Site

@testable import SiteEditor

extension SiteStore {
    /// An edit of somebody who may do everything.
    func edit(
        _ site: SiteID, expectedRevision: Int?, at moment: Timestamp,
        _ change: @escaping @Sendable (SiteDocument) throws -> SiteEdit
    ) async throws -> Edited {
        try await edit(
            site, expectedRevision: expectedRevision, by: .editor("t"), DraftNote(action: .replace),
            at: moment, change)
    }

    func undo(_ site: SiteID, expectedRevision: Int?, at moment: Timestamp) async throws -> Edited {
        try await undo(site, expectedRevision: expectedRevision, by: .editor("t"), at: moment)
    }
}
