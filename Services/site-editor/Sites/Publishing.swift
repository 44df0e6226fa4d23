import Events
import HTTP
import ServiceHost

/// The steps between a publication and its answer.
struct Publishing: Sendable {
    /// How long an answer waits until this process has read the publication from the log.
    private static let patience: Duration = .seconds(2)

    let sites: SiteDirectory
    let security: SecurityLog

    /// Logs the publisher, and waits until this process has the version, so that the client's next
    /// request finds it. Other processes have it at about the same moment.
    func done(_ outcome: SiteStore.Outcome, of site: SiteID, by request: HTTPRequest) async {
        guard outcome.isChanged else { return }
        security.note(
            .sitePublished, by: request,
            ["site": site.text, "version": String(outcome.version)])
        await sites.wait(for: outcome.version, of: site, atMost: Self.patience)
    }
}
