import Events
import HTTP
import ServiceHost

extension Host {
    /// How long an answer waits until this process knows what was published.
    private static let publicationPatience: Duration = .seconds(2)

    /// Notes who published, and waits until this process knows the version, so that what follows the answer
    /// finds it. Other processes know it at about the same moment.
    func published(
        _ outcome: SiteStore.Outcome, of site: SiteID, by request: HTTPRequest
    ) async {
        guard outcome.isChanged else { return }
        security.note(
            "site published", by: request,
            ["site": site.text, "version": String(outcome.version)])
        await sites.wait(
            for: outcome.version, of: site, atMost: Self.publicationPatience)
    }
}
