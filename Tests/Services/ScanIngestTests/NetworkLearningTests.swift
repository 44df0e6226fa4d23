import Events
import HTTPClient
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Synchronization
import Testing

@testable import ScanIngest

@Suite("Access points of the site, asked of fingerprint-builder") struct NetworkLearningTests {
    private final class Asked: Sendable {
        let sites = Mutex<[String]>([])
    }

    @Test("A site that is refused, or not read yet, leaves the others their turn")
    func others() async throws {
        let ingest = try await IngestBench()
        var document = SampleSite.index.document
        document.accessPoints = AccessPointRules(allow: [.network("museum")])
        let index = try SiteIndex(document)
        let testers = try #require(SiteID("good").ofTesters)
        let named = ["refused", "fresh", "good", "other"].map { SiteID($0) }
        for site in named + [testers] { ingest.bench.publish(index, as: site) }
        let asked = Asked()
        let learning = NetworkLearning(
            builder: Neighbour { path, _, _ in
                let site = String(path.split(separator: "/")[2])
                asked.sites.withLock { $0.append(site) }
                let status = ["refused": 403, "fresh": 404][site] ?? 200
                return HTTPClientResponse(
                    status: status, headers: [:], body: Array(#"{"accessPoints": []}"#.utf8))
            }, sites: ingest.bench.sites, privacy: ingest.privacy, notices: ingest.bench.notices)
        var learned: [SiteID: NetworkLearning.Learned] = [:]
        await #expect(throws: PrivacyFetching.Refused.self) {
            try await learning.learnAll(&learned)
        }
        #expect(asked.sites.withLock { $0.sorted() } == ["fresh", "good", "other", "refused"])
        #expect(Set(learned.keys.map(\.text)) == ["good", "other"])
        // Those that were not learned are asked for again, and only they.
        asked.sites.withLock { $0 = [] }
        await #expect(throws: PrivacyFetching.Refused.self) {
            try await learning.learnAll(&learned)
        }
        #expect(asked.sites.withLock { $0.sorted() } == ["fresh", "refused"])
    }
}
