import Cryptography
public import EventLog
public import Events
public import HTTP
public import MemoryLog
public import Postgres
public import Retrying
public import SampleSites
public import ServiceHost
public import ServiceRuntime
public import Site
import Synchronization
import TestSupport
public import Wire

/// Everything that a service needs, in memory: a log, published sites, tokens, a clock that a test
/// sets, and ids from a counter. The parts have the same types as in a running process.
public final class ServiceBench: Sendable {
    /// The time at which each test begins: 2026-11-22 00:00 UTC.
    public static let start = Timestamp(milliseconds: 1_795_305_600_000)
    public static let serviceSecret = "a secret of services that is long enough"
    public static let partitions = 3

    private struct State {
        var now = ServiceBench.start
        var ids: UInt64 = 0
        var issued: [String: TokenIssued] = [:]
        var published: [SiteID: PublishedSite] = [:]
        var unexpected: [String] = []
        var securityLines: [String] = []
    }

    private final class Memory: Sendable {
        let state = Mutex(State())
        var now: Timestamp { state.withLock { $0.now } }
    }

    private let memory: Memory
    public let server: MemoryLogServer
    public let log: MemoryLog
    public let clock: EventClock
    public let sites = SiteDirectory()
    public let tokens: TokenDirectory
    public let blocks = SenderBlocks()
    public let metrics = MetricsRegistry()
    /// A database that can't be reached. It serves requests that a service refuses before it reads
    /// a table, and shows the answers while the database is away.
    public let absentDatabase = PostgresPool(
        PostgresConfiguration("postgresql://127.0.0.1:1/none"), waitLimit: .milliseconds(1))

    /// - Parameter isStarting: whether the tables of sites and tokens are still being read.
    public init(isStarting: Bool = false) async throws {
        let memory = Memory()
        self.memory = memory
        server = MemoryLogServer(now: { memory.now.microseconds })
        log = MemoryLog(server)
        clock = EventClock(
            time: { memory.now },
            identify: { _ in
                memory.state.withLock {
                    $0.ids += 1
                    return EventID(high: 1, low: $0.ids)
                }
            })
        tokens = TokenDirectory(
            serviceSecret: Self.serviceSecret, sites: sites, now: { memory.now })
        try await log.createTopics(Topic.specifications(partitions: Self.partitions))
        guard !isStarting else { return }
        sites.replace(with: [:])
        tokens.replace(with: TrustTable())
    }

    /// The reports to the operator.
    public var unexpected: [String] { memory.state.withLock { $0.unexpected } }

    public var onUnexpected: @Sendable (String) -> Void {
        { [memory] sentence in memory.state.withLock { $0.unexpected.append(sentence) } }
    }

    public var notices: Notices { Notices(onUnexpected: onUnexpected, onRecovery: { _ in }) }

    /// A configuration from this environment, with the settings' defaults.
    public func configuration(
        _ settings: [Setting], _ environment: [String: String] = [:]
    ) throws -> Configuration {
        try Configuration(environment: environment, settings: Host.settings + settings)
    }

    /// Advances the time, for the service and for the log.
    public func pass(seconds: Int) {
        memory.state.withLock {
            $0.now = Timestamp(microseconds: $0.now.microseconds + Int64(seconds) * 1_000_000)
        }
        server.timePassed()
    }

    public func publish(
        _ index: SiteIndex = SampleSite.index, as site: SiteID = SampleSite.id, version: Int = 1
    ) {
        sites.replace(
            with: memory.state.withLock {
                $0.published[site] = PublishedSite(version: version, index: index)
                return $0.published
            })
    }

    /// - Returns: the text of a new token.
    public func issue(
        _ role: TokenRole, site: SiteID? = nil, buildings: [BuildingID] = [],
        device: DeviceID? = nil, expiresAt: Timestamp? = nil, quota: TokenQuota? = nil
    ) -> String {
        let number = memory.state.withLock { $0.issued.count + 1 }
        let text = "token-\(number)-of-\(role.rawValue)"
        let hash = BearerToken.hash(of: text)
        let issued = TokenIssued(
            hash: hash, id: EventID(high: 2, low: UInt64(number)), role: role, site: site,
            buildings: buildings, device: device, note: "", issuedAt: Self.start,
            expiresAt: expiresAt, quota: quota)
        replaceTokens { $0[hash] = issued }
        return text
    }

    public func revoke(_ token: String) {
        replaceTokens { $0[BearerToken.hash(of: token)] = nil }
    }

    private func replaceTokens(_ change: (inout [String: TokenIssued]) -> Void) {
        let issued = memory.state.withLock { state in
            change(&state.issued)
            return state.issued
        }
        tokens.replace(with: TrustTable(tokens: issued))
    }

    public func records(of topic: Topic) async throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        try await log.readRange(log.ranges(of: [topic.name])) { records += $0 }
        return records
    }

    /// An empty database, for routes over stores that have no twin in memory.
    public static func database() async throws -> PostgresPool {
        PostgresPool(try await PrivatePostgres.shared().makeDatabase())
    }

    /// The lines of the security log.
    public var securityLines: [String] { memory.state.withLock { $0.securityLines } }

    /// A security log whose lines the bench keeps.
    public var security: SecurityLog {
        SecurityLog(time: ManualTimeSource()) { [memory] line in
            memory.state.withLock { $0.securityLines.append(line) }
        }
    }

    /// Serves the routes like a process, with Access's table and this bench's tokens.
    public func serve(_ routes: [Route], over transport: Transport = .memory) throws -> Served {
        try Served(
            routes.asServed(notices: notices), over: transport, tokens: tokens,
            security: security, now: { [memory] in memory.now }, onUnexpected: onUnexpected)
    }
}
