import Access
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Who edits a draft, and what they may do there.
struct DraftAuthor: Sendable {
    /// The account or token; nil where nobody knows it.
    var id: String?
    var rights: DraftRights
    var reader: Reader
    /// The site as it is published, for a reader from whom something may be hidden.
    var published: SiteDocument?

    /// Somebody who may do everything.
    static func editor(_ id: String?) -> DraftAuthor {
        DraftAuthor(id: id, rights: .all, reader: .editor)
    }

    /// - Throws: a `Problem` where the author may not make the changes.
    func checkMaking(_ step: DraftStep, after draft: SiteDraft) throws {
        guard rights.mayMake(step.changes) else {
            throw Problem(
                .roleNotAllowed,
                "Your role may change locations, and rooms that are proposed: set proposed, or "
                    + "ask an administrator.")
        }
        guard reader < .editor else { return }
        let (before, after) = (seen(draft.document), seen(step.draft.document))
        for case .record(let thing) in step.changes.map(\.thing) {
            let (was, stays) = (draft.document.contains(thing), step.draft.document.contains(thing))
            guard !was || before.contains(thing), !stays || after.contains(thing) else {
                throw SiteRefusal.unknown(thing)
            }
        }
    }

    /// Refuses things that are hidden from the author. Their faults aren't for the author, either.
    func checkSees(_ things: [SiteThing], in document: SiteDocument) throws {
        guard reader < .editor else { return }
        let seen = seen(document)
        for thing in things where document.contains(thing) && !seen.contains(thing) {
            throw SiteRefusal.unknown(thing)
        }
    }

    /// The document as the author may see it.
    func seen(_ document: SiteDocument) -> SiteDocument {
        document.seen(by: reader, asIn: published)
    }
}

extension SiteStore {
    /// The sender of a request as an author of the site's draft.
    func author(of request: HTTPRequest, at site: SiteID) async throws -> DraftAuthor {
        let reader = request.reader(at: site)
        return DraftAuthor(
            id: request.principal?.id, rights: DraftRights(request.caller?.grants ?? [], at: site),
            reader: reader,
            published: reader < .editor ? try await published(site)?.document : nil)
    }
}

/// An edit of a draft as the journal describes it.
struct DraftNote: Sendable {
    var action: DraftAction
    /// The record that the editor named; the site itself for an edit of several.
    var thing = DraftThing.site
}
