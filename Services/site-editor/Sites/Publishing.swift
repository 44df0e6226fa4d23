import Events
import HTTP
import ServiceHost

/// What follows a publication, before it is answered.
struct Publishing: Sendable {
    /// How long an answer waits until this process knows what was published.
    private static let patience: Duration = .seconds(2)

    let sites: SiteDirectory
    let security: SecurityLog

    /// Notes who published, and waits until this process knows the version, so that what follows
    /// the answer finds it. Other processes know it at about the same moment.
    func done(_ outcome: SiteStore.Outcome, of site: SiteID, by request: HTTPRequest) async {
        guard outcome.isChanged else { return }
        security.note(
            "site published", by: request,
            ["site": site.text, "version": String(outcome.version)])
        await sites.wait(for: outcome.version, of: site, atMost: Self.patience)
    }
}
