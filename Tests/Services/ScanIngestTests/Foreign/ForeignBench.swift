import Events
import Foundation
import HTTP
import Repository
import ServiceBench
import ServiceHost
import ServiceRuntime
import Synchronization

@testable import ScanIngest

/// Keeps what it is given. It may be told to fail first.
final class KeepingSink: SightingSink {
    private struct State {
        var kept: [HeardDevice] = []
        var sites: Set<SiteID> = []
        var failures: [Problem] = []
        var refusals: [Problem] = []
        var asked = 0
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - failures: are thrown first, one for each call.
    ///   - refusals: are returned by each call.
    init(failing failures: [Problem] = [], refusing refusals: [Problem] = []) {
        state = Mutex(State(failures: failures, refusals: refusals))
    }

    var kept: [HeardDevice] { state.withLock { $0.kept } }
    var sites: Set<SiteID> { state.withLock { $0.sites } }
    var asked: Int { state.withLock { $0.asked } }

    func accept(_ heard: [HeardDevice], of site: SiteID) async throws(Problem) -> [Problem] {
        let failure = state.withLock { state -> Problem? in
            state.asked += 1
            if !state.failures.isEmpty { return state.failures.removeFirst() }
            state.kept += heard
            state.sites.insert(site)
            return nil
        }
        if let failure { throw failure }
        return state.withLock { $0.refusals }
    }

    func wait(for count: Int) async throws {
        while kept.count < count { try await Task.sleep(for: .milliseconds(10)) }
    }
}

/// The paths of other systems in memory, with the sample site published.
struct ForeignBench {
    static let secret = "a secret of sixteen bytes"
    let ingest: IngestBench
    let sink: KeepingSink
    let app: Served

    init(
        over transport: Transport = .memory, sink: KeepingSink = KeepingSink(),
        isStarting: Bool = false
    ) async throws {
        ingest = try await IngestBench(isStarting: isStarting)
        self.sink = sink
        let metrics = ingest.bench.metrics
        let find3 = FIND3Route(
            intake: ingest.inbound.intake, log: ingest.bench.log,
            accepted: metrics.counter("accepted", help: ""),
            rejected: metrics.counter("rejected", help: ""))
        // No spaces may stand in a line's words.
        let meraki = MerakiRoutes(
            networks: MerakiSites(
                "\n sample  the-validator \(Self.secret.replacing(" ", with: "-"))\n"),
            sink: sink, metrics: metrics)
        app = try ingest.bench.serve([find3.route] + meraki.all, over: transport)
    }

    static func payload(_ name: String) throws -> String {
        try String(
            contentsOf: repository.appending(path: "Tests/Shared/Foreign/\(name)"), encoding: .utf8
        )
        .replacing("\"small\"", with: "\"sample\"").replacing("living room", with: "desk")
        .replacing(secret, with: secret.replacing(" ", with: "-"))
    }
}
