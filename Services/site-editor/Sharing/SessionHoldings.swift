import Events
import HTTP
import LogViews
import Postgres
import ServiceHost

/// The things that a session has beside its rights: a share of its own position, and pairings.
/// Both end with it.
struct SessionHoldings: Sendable {
    private static let sweepPause = Duration.seconds(60)

    let shares: PositionShareStore
    let pairings: PairingStore

    init(
        _ host: Host, _ pool: PostgresPool, _ bell: OutboxBell, _ requests: ScanRequestDirectory
    ) {
        shares = PositionShareStore(pool: pool)
        pairings = PairingStore(
            pool: pool,
            requests: ScanRequestStore(
                pool: pool, bell: bell, directory: requests, notices: host.notices))
    }

    func end(_ session: SessionMark, at moment: Timestamp) async throws {
        try await shares.end(session)
        try await pairings.endAll(of: session, moment: moment)
    }

    func routes(_ host: Host) -> [Route] {
        PositionShareRoutes(sites: host.sites, clock: host.clock, store: shares).all
            + TagCodeRoutes(
                sites: host.sites, clock: host.clock, store: pairings,
                devices: DeviceStore(pool: pairings.pool, secret: host.lastingSecret)
            ).all
    }

    /// Deletes what is over within a minute: nobody's place is kept longer than it is shared.
    var sweep: Sweep {
        Sweep("Forgetting shared positions", every: Self.sweepPause) { [shares] in
            try await shares.sweep(at: $0)
        }
    }
}
