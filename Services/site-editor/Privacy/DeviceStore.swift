import Cryptography
import Events
import LogViews
import Postgres
import Privacy
import ServiceHost
import Site
import Wire

/// Stores enrolled devices. Their names and identity keys are in the schema of names; everything
/// else knows a device by its random id only.
struct DeviceStore: Sendable {
    /// The most devices of a site.
    private static let maximumOfSite = 100_000
    /// The most devices that a person without a right to edit the site may enrol there.
    static let maximumOfAccount = 20

    let pool: PostgresPool
    /// Seals the identity keys in the table. Nil where nobody set a secret: one that the process
    /// made up would be gone after the next start, and the keys with it.
    private let sealingKey: [UInt8]?

    /// - Parameter secret: the services' secret. Without one, no identity key can be sealed.
    init(pool: PostgresPool, secret: String?) {
        self.pool = pool
        sealingKey = secret.map(Self.sealingKey)
    }

    private static func sealingKey(_ secret: String) -> [UInt8] {
        keyedHash(Array("identity keys".utf8), key: sha256(secret.utf8))
    }

    /// Whether an identity key of the table is sealed with this secret.
    static func opens(_ sealed: [UInt8], secret: String) -> Bool {
        SealedBox.open(sealed, key: sealingKey(secret)) != nil
    }

    static let migration = """
        CREATE TABLE \(NamesSchema.name).devices (
            site text NOT NULL,
            id text NOT NULL,
            name text NOT NULL,
            -- The account that enrolled it; null for a program or an editor of the site.
            owner uuid,
            -- The identity resolving key, sealed with a key made of the services' secret.
            identity_key bytea,
            enrolled_at timestamptz NOT NULL,
            PRIMARY KEY (site, id))
        """

    /// The keys and devices of every site with an enrolled device, for scan-ingest.
    func enrolled() async throws -> [SiteID: SitePrivacy] {
        let rows = try await pool.query(
            "SELECT site, id, identity_key FROM \(NamesSchema.name).devices ORDER BY site, id")
        return try rows.reduce(into: [:]) { sites, row in
            let (site, device) = (SiteID(try row["site"]), DeviceID(try row["id"]))
            sites[site, default: SitePrivacy()].enrolled.insert(device)
            let sealed: [UInt8]? = try row["identity_key"]
            if let key = sealed.flatMap(opened) {
                sites[site]?.identities.append(.init(device: device, key: key))
            }
        }
    }

    /// A text that changes with the devices and keys of every site. No key is opened for it.
    func state() async throws -> String {
        let row = try await pool.query(
            """
            SELECT count(*) AS devices,
                coalesce(sum(hash_record_extended(ROW(site, id, identity_key), 0)), 0)::text AS sum
            FROM \(NamesSchema.name).devices
            """)[0]
        let (count, sum): (Int, String) = (try row["devices"], try row["sum"])
        // With another secret the same rows have other keys, or none.
        let secret = sealingKey.map { hexadecimal(keyedHash(Array("state".utf8), key: $0)) } ?? ""
        return "\(count) \(sum) \(secret)"
    }

    /// Enrols a device under a new random id.
    ///
    /// - Parameter limit: the most devices of this owner; nil where the caller edits the site.
    /// - Throws: a `DeviceRefusal`, or `UnknownSite` where the site was removed.
    func enrol(
        _ submission: DeviceSubmission, site: SiteID, owner: AccountID?, limit: Int?,
        at moment: Timestamp
    ) async throws -> EnrolledDevice {
        let device = EnrolledDevice(
            id: EnrolledID.device(randomBytes(EnrolledID.bytes)), name: submission.name ?? "",
            owner: owner, hasIdentityKey: submission.identityKey != nil, enrolledAt: moment)
        try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            try Self.demandNotRemoved(site, connection: connection)
            // The end of the account erases the devices that it finds.
            if let owner, try AccountStore.account(owner, connection: connection) == nil {
                throw GrantsChanged()
            }
            let counts = try connection.query(
                """
                SELECT count(*) AS all, count(*) FILTER (WHERE owner = $2) AS own
                FROM \(NamesSchema.name).devices WHERE site = $1
                """, [.text(site.text), .optional(owner?.event.bytes, PostgresValue.uuid)])[0]
            let (all, own): (Int, Int) = (try counts["all"], try counts["own"])
            guard all < Self.maximumOfSite else { throw DeviceRefusal.tooMany(all) }
            if let limit, own >= limit { throw DeviceRefusal.tooMany(own) }
            try checkIsNew(submission.identityKey, site, but: nil, connection: connection)
            try connection.query(
                "INSERT INTO \(NamesSchema.name).devices VALUES ($1, $2, $3, $4, $5, $6)",
                [
                    .text(site.text), .text(device.id.text), .text(device.name),
                    .optional(owner?.event.bytes, PostgresValue.uuid),
                    .optional(sealed(submission.identityKey), PostgresValue.bytes),
                    .timestamp(microseconds: moment.microseconds),
                ])
        }
        return device
    }

    /// The devices of a site, by their ids.
    /// - Parameter owner: nil for the devices of all owners.
    func devices(
        of site: SiteID, owner: AccountID?, after: DeviceID?, limit: Int
    ) async throws -> [EnrolledDevice] {
        try await pool.query(
            """
            SELECT \(Self.columns) FROM \(NamesSchema.name).devices
            WHERE site = $1 AND ($2::uuid IS NULL OR owner = $2) AND ($3::text IS NULL OR id > $3)
            ORDER BY id LIMIT $4
            """,
            [
                .text(site.text), .optional(owner?.event.bytes, PostgresValue.uuid),
                .optional(after?.text, PostgresValue.text), .int(limit),
            ]
        ).map(Self.device)
    }

    func device(_ id: DeviceID, of site: SiteID) async throws -> EnrolledDevice? {
        try await pool.query(
            "SELECT \(Self.columns) FROM \(NamesSchema.name).devices WHERE site = $1 AND id = $2",
            [.text(site.text), .text(id.text)]
        ).first.map(Self.device)
    }

    /// Everything that site-editor keeps about a device, enrolled or not.
    func kept(of id: DeviceID, at site: SiteID) async throws -> [KeptData] {
        let row = try await pool.query(
            """
            SELECT
                (SELECT count(*) FROM \(NamesSchema.name).devices
                    WHERE site = $1 AND id = $2) AS devices,
                (SELECT count(*) FROM \(NamesSchema.name).tokens
                    WHERE site = $1 AND device = $2) AS tokens
            """, [.text(site.text), .text(id.text)])[0]
        return [
            KeptData(
                .table("\(NamesSchema.name).devices"), rows: try row["devices"],
                path: "/v1/sites/\(site)/devices/\(id)"),
            KeptData(.table("\(NamesSchema.name).tokens"), rows: try row["tokens"]),
            KeptData(.topic("tokens")),
            KeptData(.backups("nightly")), KeptData(.backups("weekly")),
            KeptData(.processLog("all services")),
        ]
    }

    /// Changes the name or the identity key; nil where there is no such device.
    func change(
        _ id: DeviceID, of site: SiteID, to submission: DeviceSubmission
    ) async throws -> EnrolledDevice? {
        try await pool.withTransaction { connection in
            try Self.lock(site, connection: connection)
            try checkIsNew(submission.identityKey, site, but: id, connection: connection)
            return try connection.query(
                """
                UPDATE \(NamesSchema.name).devices SET name = coalesce($3, name),
                    identity_key = CASE WHEN $4 THEN $5 ELSE identity_key END
                WHERE site = $1 AND id = $2 RETURNING \(Self.columns)
                """,
                [
                    .text(site.text), .text(id.text),
                    .optional(submission.name, PostgresValue.text),
                    .bool(submission.namesIdentityKey),
                    .optional(sealed(submission.identityKey), PostgresValue.bytes),
                ]
            ).first.map(Self.device)
        }
    }

    /// The removal of a site has erased its devices, and would not find a later one.
    private static func demandNotRemoved(
        _ site: SiteID, connection: isolated PostgresConnection
    ) throws {
        let isRemoved: Bool = try connection.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.removed_sites WHERE site = $1)
                AND NOT EXISTS (SELECT FROM site_editor.sites WHERE id = $1) AS is_removed
            """, [.text(site.text)])[0]["is_removed"]
        if isRemoved { throw UnknownSite(site: site) }
    }

    /// Two devices with one key would take turns in being heard.
    private func checkIsNew(
        _ key: [UInt8]?, _ site: SiteID, but device: DeviceID?,
        connection: isolated PostgresConnection
    ) throws {
        guard let key else { return }
        guard sealingKey != nil else { throw DeviceRefusal.noSecret }
        let rows = try connection.query(
            """
            SELECT identity_key FROM \(NamesSchema.name).devices
            WHERE site = $1 AND id IS DISTINCT FROM $2 AND identity_key IS NOT NULL
            """, [.text(site.text), .optional(device?.text, PostgresValue.text)])
        for row in rows {
            let known: [UInt8] = try row["identity_key"]
            guard opened(known) != key else {
                throw DeviceRefusal.identityKeyInUse
            }
        }
    }

    static func lock(_ site: SiteID, connection: isolated PostgresConnection) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [.text(site.text)])
    }

    /// Keeps the site until the end of the transaction, for others who only need it to stay. A
    /// testers' site goes with its site, and an ordinary site of such an id by itself.
    ///
    /// - Parameter orMake: whether a removed site may be meant, which is to be made again.
    /// - Throws: `UnknownSite` if it was removed.
    static func keep(
        _ site: SiteID, orMake: Bool = false, connection: isolated PostgresConnection
    ) throws {
        let main = site.tested ?? site
        // The removal locks them in this order, too.
        for site in Set([main, site]).sorted(by: { $0.text < $1.text }) {
            try connection.query(
                "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 7))", [.text(site.text)])
        }
        if orMake { return }
        let there = Set(
            try connection.query(
                "SELECT id FROM site_editor.sites WHERE id = ANY ($1)",
                [.textArray([main.text, site.text])]
            ).map { SiteID(try $0["id"]) })
        if there.contains(site) { return }
        try demandNotRemoved(main, connection: connection)
        // The tokens of a test that has ended stay for the next one, but not without the site.
        if !there.contains(main) { try demandNotRemoved(site, connection: connection) }
    }

    /// Keeps the sites of grants that somebody is to get.
    static func keepSites(
        of grants: [RoleGrant], connection: isolated PostgresConnection
    ) throws {
        for site in Set(grants.compactMap(\.site)).sorted(by: { $0.text < $1.text }) {
            // Who is to make the site again gets the role before it exists.
            let makesIt = grants.contains { $0.site == site && $0.role.makesSites }
            try keep(site, orMake: makesIt, connection: connection)
        }
    }

    private func sealed(_ key: [UInt8]?) -> [UInt8]? {
        guard let key, let sealingKey else { return nil }
        return SealedBox.seal(key, key: sealingKey)
    }

    private func opened(_ sealed: [UInt8]) -> [UInt8]? {
        sealingKey.flatMap { SealedBox.open(sealed, key: $0) }
    }

    private static let columns =
        "id, name, owner, identity_key IS NOT NULL AS has_identity_key, enrolled_at"

    private static func device(_ row: PostgresRow) throws -> EnrolledDevice {
        let owner: [UInt8]? = try row["owner"]
        return EnrolledDevice(
            id: DeviceID(try row["id"]), name: try row["name"],
            owner: owner.flatMap { EventID(bytes: $0) }.map(AccountID.init),
            hasIdentityKey: try row["has_identity_key"],
            enrolledAt: Timestamp(microseconds: try row["enrolled_at"]))
    }
}
