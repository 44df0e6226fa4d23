import EventLog
import Events
import HTTPClient
import Retrying
import ServiceHost
import Site
import Wire

/// Asks fingerprint-builder which access points surveys heard with a network name of the site.
///
/// Without it, readings of telephones that leave names out would be dropped after each start, until
/// another telephone sends the name.
struct NetworkLearning: Sendable {
    private static let every = Duration.seconds(60)
    /// `KnownNetworks` forgets after a day.
    private static let again = Duration.seconds(12 * 3_600)
    private static let pageLimit = 10_000
    /// The most pages of a site; the rest is learned from scans.
    private static let mostPages = 20

    let builder: Neighbour
    let sites: SiteDirectory
    let privacy: ScanPrivacy
    let notices: Notices

    func run() async {
        var learned: [SiteID: Learned] = [:]
        let work = "Asking fingerprint-builder for the site's own access points"
        await attemptUntilDone(work, notices: notices) { retry in
            while !Task.isCancelled {
                try await learnAll(&learned)
                retry.ended()
                try await Task.sleep(for: Self.every)
            }
        }
    }

    /// The version of a site whose access points were asked for, and when.
    typealias Learned = (version: Int, at: ContinuousClock.Instant)

    /// Asks for the sites that are due. Testers' sites have no surveys of their own.
    ///
    /// - Throws: the first refusal, once all sites had their turn; another error at once.
    func learnAll(_ learned: inout [SiteID: Learned]) async throws {
        var refusal: PrivacyFetching.Refused?
        for (site, published) in sites.all
        where site.tested == nil && privacy.namesNetworks(site, published) {
            if let last = learned[site], last.version == published.version,
                .now - last.at < Self.again
            {
                continue
            }
            do {
                if try await learn(site) { learned[site] = (published.version, .now) }
            } catch let error as PrivacyFetching.Refused {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    /// - Returns: false where fingerprint-builder has not read of the site yet.
    private func learn(_ site: SiteID) async throws -> Bool {
        var after = ""
        for _ in 0..<Self.mostPages {
            let answer = try await builder.get(
                "/v1/sites/\(site)/access-points?limit=\(Self.pageLimit)&after=\(after)",
                timeoutSeconds: 30)
            if answer.status == 404 { return false }
            guard answer.status == 200 else {
                throw PrivacyFetching.Refused(
                    service: "fingerprint-builder", status: answer.status)
            }
            let page = try NamedAccessPoints(json: answer.body)
            if let published = sites[whole: site] {
                privacy.learn(page.points, at: site, published)
            }
            guard let next = page.next else { return true }
            after = next
        }
        return true
    }
}
