import Access
import Cryptography
import Events
import Geometry
import LogViews
import Postgres
import SampleSites
import ServiceBench
import Site
import Synchronization
import Wire

@testable import ServiceHost
@testable import SiteEditor

/// The routes of shared positions and of pairings, with sessions, on a database of their own.
final class ShareBench: Sendable {
    static let site = SampleSite.id
    static let own = "/v1/sites/\(site)/shared-position"

    /// A session as its page has it.
    struct Session: Sendable {
        var cookie: String
        var changeToken: String

        var headers: [String: String] {
            [
                "cookie": "\(TokenDirectory.sessionCookie)=\(cookie)",
                "x-change-token": changeToken,
                "content-type": "application/json",
            ]
        }
    }

    let bench: ServiceBench
    let pool: PostgresPool
    let app: Served
    let shares: PositionShareStore
    let pairings: PairingStore
    let scanner: String
    let administrator: String
    /// An administrator of some buildings of the site only.
    let partial: String
    let people: People
    /// Makes the end of what sessions have fail.
    let away = Away()
    private let pair = Ed25519.KeyPair()
    private let begun = Mutex(0)

    init(mostOfSite: Int = PositionShareStore.mostOfSite) async throws {
        bench = try await ServiceBench()
        pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        try await pool.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, 'Sample', 1, now(), '')
            """, [.text(Self.site.text)])
        var document = SampleSite.index.document
        document.audience = .everybody
        document.rooms[0].visibility = .staff
        bench.publish(try SiteIndex(document))
        scanner = bench.issue(.scanner, site: Self.site, device: DeviceID("pi-1"))
        administrator = bench.issue(.administratorOfSite, site: Self.site)
        let buildings = SampleSite.index.document.buildings.map(\.id)
        partial = bench.issue(.administratorOfSite, site: Self.site, buildings: buildings)
        var table = TrustTable()
        for (token, role, device, buildings) in [
            (scanner, TokenRole.scanner, DeviceID("pi-1"), []),
            (administrator, .administratorOfSite, nil, []),
            (partial, .administratorOfSite, nil, buildings),
        ] as [(String, TokenRole, DeviceID?, [BuildingID])] {
            let hash = BearerToken.hash(of: token)
            table.tokens[hash] = TokenIssued(
                hash: hash, id: EventID(high: 5, low: UInt64(table.tokens.count + 1)), role: role,
                site: Self.site, buildings: buildings, device: device, note: "",
                issuedAt: ServiceBench.start,
                expiresAt: nil)
        }
        table.sessionKeys["k"] = pair.publicKey
        bench.tokens.replace(with: table)
        shares = PositionShareStore(pool: pool, mostOfSite: mostOfSite)
        pairings = PairingStore(
            pool: pool,
            requests: ScanRequestStore(
                pool: pool, bell: OutboxBell(), directory: ScanRequestDirectory(),
                notices: bench.notices))
        // They sign the sessions that the service begins itself.
        let keys = SessionKeys(pool: pool, bell: OutboxBell())
        try await keys.renew(at: bench.clock.now)
        people = try People(
            bench, pool, keys, ["WHEREABOUTS_SIGN_IN_PROXIES": "127.0.0.1"],
            endHoldings: { [shares, pairings, away] session, moment in
                if away.isAway.withLock({ $0 }) { throw Fault("PostgreSQL is away") }
                try await shares.end(session)
                try await pairings.endAll(of: session, moment: moment)
            })
        app = try bench.serve(
            PositionShareRoutes(sites: bench.sites, clock: bench.clock, store: shares).all
                + TagCodeRoutes(
                    sites: bench.sites, clock: bench.clock, store: pairings,
                    devices: DeviceStore(pool: pool, secret: "a secret")
                ).all
                + PairingRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security,
                    store: pairings
                ).all + people.routes)
    }

    /// Begins a session without an account.
    func session(seconds: Int = 43_200) -> Session {
        let number = begun.withLock {
            $0 += 1
            return $0
        }
        let now = bench.clock.now
        let value = SessionValue(
            id: EventID(high: 9, low: UInt64(number)), account: nil, sessionsEnded: 0,
            beganAt: now, endsAt: now.advanced(byMicroseconds: Int64(seconds) * 1_000_000),
            changeToken: "change-\(number)")
        return Session(
            cookie: value.text(key: "k") { pair.signature(of: $0) },
            changeToken: value.changeToken)
    }

    func send(
        _ method: String, _ path: String, _ session: Session, _ body: String = ""
    ) async throws -> Answer {
        try await app.send(method, path, headers: session.headers, body: body)
    }

    /// Begins a share; the secret of its link.
    func share(_ session: Session) async throws -> String {
        let made = try await send("POST", Self.own, session)
        guard made.status == 201, let secret = made["secret"] else { throw Fault(made.text) }
        return secret
    }

    final class Away: Sendable {
        let isAway = Mutex(false)
    }

    struct Fault: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// Sends a place in metres of the sample site.
    func put(
        _ session: Session, _ secret: String, x: Double, y: Double, floor: String = "ground",
        _ more: String = ""
    ) async throws -> Answer {
        let place = SampleSite.index.frame.geographic([x, y])
        return try await send(
            "PUT", Self.own, session,
            """
            {"secret": "\(secret)", "state": "located", "floor": "\(floor)", "radiusMetres": 4,
             "latitude": \(place.latitude), "longitude": \(place.longitude)\(more)}
            """)
    }

    func look(_ secret: String, _ session: Session? = nil) async throws -> Answer {
        let path = "/v1/sites/\(Self.site)/shared-positions/\(secret)"
        return try await send("GET", path, session ?? self.session())
    }

    func rows() async throws -> Int {
        try await pool.query(
            "SELECT count(*) AS count FROM \(PositionShareStore.table)")[0]["count"]
    }
}
