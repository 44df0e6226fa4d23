import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

/// Stores erasures of devices: the name, the tokens and the event are one transaction.
struct ErasureStore: Sendable {
    let pool: PostgresPool
    let bell: OutboxBell
    /// Copies each erasure beside the backups; nil where there are none.
    var copies: ErasureCopies?

    static let migration = """
        CREATE TABLE \(NamesSchema.name).erasures (
            id uuid PRIMARY KEY,
            site text NOT NULL,
            device text NOT NULL,
            erased_at timestamptz NOT NULL,
            erased_by text NOT NULL)
        """

    /// When an erasure came to lie beside the backups, and indexes for the questions about that and
    /// about who erases much.
    static let copiesMigration = """
        ALTER TABLE \(NamesSchema.name).erasures ADD COLUMN copied_at timestamptz;
        CREATE INDEX ON \(NamesSchema.name).erasures (erased_by, erased_at);
        CREATE INDEX ON \(NamesSchema.name).erasures (id) WHERE copied_at IS NULL
        """

    /// The most erasures of an account in a day, where it does not edit the site: each one makes
    /// the locator read through its log.
    static let maximumOfAccount = 2 * DeviceStore.maximumOfAccount

    /// Erases a device: its name, its tokens and itself on them. Everybody who keeps something of
    /// it gets the event. An erasure that is asked for again is made again.
    ///
    /// - Parameters:
    ///   - by: the id of the account or token that asks for it.
    ///   - limit: the most erasures of this caller in a day; nil where it edits the site.
    /// - Throws: a `DeviceRefusal`.
    func erase(
        _ device: DeviceID, of site: SiteID, by caller: String, limit: Int? = nil,
        at moment: Timestamp
    ) async throws -> DeviceErased {
        let event = try await pool.withTransaction(attempts: 2) { connection in
            if let limit { try Self.demandRoom(limit, caller, moment, connection) }
            return try Self.erase(device, of: site, by: caller, at: moment, connection: connection)
        }
        bell.ring()
        copies?.ring()
        return event
    }

    private static func demandRoom(
        _ limit: Int, _ caller: String, _ moment: Timestamp,
        _ connection: isolated PostgresConnection
    ) throws {
        // Two requests of one account wait for each other.
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 9))", [.text(caller)])
        let count: Int = try connection.query(
            """
            SELECT count(*) AS count FROM \(NamesSchema.name).erasures AS erased
            WHERE erased_by = $1 AND erased_at > $2
                -- One at a site and its testers' site counts once.
                AND NOT EXISTS (SELECT FROM \(NamesSchema.name).erasures AS first
                    WHERE first.erased_by = $1 AND first.erased_at = erased.erased_at
                        AND first.device = erased.device
                        AND first.site || '.test' = erased.site)
            """,
            [
                .text(caller),
                .timestamp(microseconds: moment.microseconds - 86_400_000_000),
            ])[0]["count"]
        guard count < limit else { throw DeviceRefusal.tooManyErasures(count) }
    }

    /// The sites where an account has devices.
    static func sites(
        of owner: AccountID, connection: isolated PostgresConnection
    ) throws -> Set<SiteID> {
        Set(
            try connection.query(
                "SELECT DISTINCT site FROM \(NamesSchema.name).devices WHERE owner = $1",
                [.uuid(owner.event.bytes)]
            ).map { SiteID(try $0["site"]) })
    }

    /// Locks sites and their testers' sites, so that a removal and an erasure wait for each other.
    /// This comes before the row of an account: whoever issues a token locks the site first.
    static func lock(
        _ sites: Set<SiteID>, _ connection: isolated PostgresConnection
    ) throws {
        // All who lock several do it in this order.
        let all = sites.union(sites.compactMap(\.ofTesters)).sorted { $0.text < $1.text }
        for site in all { try DeviceStore.lock(site, connection: connection) }
    }

    /// Erases the devices that an account enrolled, in the transaction that ends the account.
    static func eraseAll(
        of owner: AccountID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let sites = try sites(of: owner, connection: connection)
        for site in sites.sorted(by: { $0.text < $1.text }) {
            try eraseAll(
                at: site, of: owner, by: "account/\(owner)", at: moment, connection: connection)
        }
    }

    /// The most devices that one statement erases.
    private static let devicesAtOnce = 1_000

    /// Erases the devices that are enrolled at a site, in the transaction that removes the site.
    /// Afterwards nobody could tell any more whose they were.
    ///
    /// - Parameter owner: nil for the devices of all owners.
    static func eraseAll(
        at site: SiteID, of owner: AccountID? = nil, by caller: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        // An enrolment that is under way ends before this, or finds the site removed.
        try lock([site], connection)
        let places = try places(of: site, at: moment, connection)
        while true {
            let devices: [String] = try connection.query(
                """
                SELECT id FROM \(NamesSchema.name).devices
                WHERE site = $1 AND ($3::uuid IS NULL OR owner = $3) ORDER BY id LIMIT $2
                """,
                [
                    .text(site.text), .int(devicesAtOnce),
                    .optional(owner?.event.bytes, PostgresValue.uuid),
                ]
            ).map { try $0["id"] }
            if devices.isEmpty { return }
            for place in places {
                try apply(
                    devices.map { event(DeviceID($0), of: place, at: moment) }, at: place,
                    until: nil, by: caller, at: moment.wholeMilliseconds, connection)
            }
        }
    }

    private static func erase(
        _ device: DeviceID, of site: SiteID, by caller: String, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws -> DeviceErased {
        try lock([site], connection)
        let events = try places(of: site, at: moment, connection)
            .map { event(device, of: $0, at: moment) }
        for event in events { try apply(event, by: caller, connection) }
        return events[0]
    }

    /// The site, and its testers' site if something may be left there. Somebody who tested a draft
    /// with a device does not think of the site's other id.
    private static func places(
        of site: SiteID, at moment: Timestamp, _ connection: isolated PostgresConnection
    ) throws -> [SiteID] {
        guard let testers = site.ofTesters else { return [site] }
        let isTested: Bool = try connection.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.test_versions WHERE site = $1)
                OR EXISTS (SELECT FROM site_editor.removed_sites
                    WHERE site = $2 AND forgotten_removal IS DISTINCT FROM removed_at)
                -- A test that a reconcile has brought back from the log.
                OR EXISTS (SELECT FROM site_editor.sites WHERE id = $2
                    AND position(convert_to('"borrows":', 'UTF8') IN event) > 0) AS tested
            """, [.text(site.text), .text(testers.text)])[0]["tested"]
        return isTested ? [site, testers] : [site]
    }

    /// The erasure of the same device at the testers' site that was made with this one.
    func twin(of event: DeviceErased) async throws -> EventID? {
        guard let testers = event.site.ofTesters else { return nil }
        return try await pool.query(
            """
            SELECT id FROM \(NamesSchema.name).erasures
            WHERE site = $1 AND device = $2 AND erased_at = $3 ORDER BY id LIMIT 1
            """,
            [
                .text(testers.text), .text(event.device.text),
                .timestamp(microseconds: event.at.microseconds),
            ]
        ).first.flatMap { row in
            let id: [UInt8] = try row["id"]
            return EventID(bytes: id)
        }
    }

    private static func event(
        _ device: DeviceID, of site: SiteID, at moment: Timestamp
    ) -> DeviceErased {
        let id = UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds)
        return DeviceErased(
            id: EventID(high: id.high, low: id.low), site: site, device: device,
            at: moment.wholeMilliseconds)
    }

    /// Deletes what names the device, and puts the event on its way to all who keep something.
    ///
    /// - Parameter isLate: whether the device may have been made again since. Only what is older
    ///   than the erasure goes then.
    static func apply(
        _ event: DeviceErased, by caller: String, isLate: Bool = false,
        _ connection: isolated PostgresConnection
    ) throws {
        try apply(
            [event], at: event.site, until: isLate ? event.at : nil, by: caller, at: event.at,
            connection)
    }

    /// - Parameter end: devices and tokens that are newer stay; nil for none.
    private static func apply(
        _ events: [DeviceErased], at site: SiteID, until end: Timestamp?, by caller: String,
        at moment: Timestamp, _ connection: isolated PostgresConnection
    ) throws {
        let devices = events.map(\.device)
        let names: [PostgresValue] = [.text(site.text), .textArray(devices.map(\.text))]
        try connection.query(
            """
            DELETE FROM \(NamesSchema.name).devices
            WHERE site = $1 AND id = ANY ($2) AND ($3::timestamptz IS NULL OR enrolled_at <= $3)
            """,
            names + [.optional(end?.microseconds) { .timestamp(microseconds: $0) }])
        try TokenStore.erase(
            devices, of: site, issuedUntil: end, by: caller, at: moment, connection: connection)
        try PairingStore.forget(devices, of: site, connection: connection)
        try connection.query(
            """
            INSERT INTO \(NamesSchema.name).erasures (site, device, id, erased_at, erased_by)
            SELECT $1, device, id::uuid, $4, $5 FROM unnest($2::text[], $3::text[])
                AS erased (device, id)
            """,
            names + [
                .textArray(events.map(\.id.description)),
                .timestamp(microseconds: moment.microseconds), .text(caller),
            ])
        try SiteEditorSchema.outbox.put(events.flatMap(records), connection: connection)
    }

    /// The locator gets it behind the device's own scans, scan-ingest behind its sightings, and
    /// fingerprint-builder behind its taps.
    static func records(of event: DeviceErased) -> [LogRecord] {
        [
            event.record(source: SiteEditorSchema.source),
            event.record(topic: Topic.sightings.name, source: SiteEditorSchema.source),
            event.record(topic: Topic.taps.name, source: SiteEditorSchema.source),
            event.record(topic: Topic.scans.name, source: SiteEditorSchema.source),
        ]
    }

    /// Applies the erasures that the tables do not have: they were asked for after the backup that
    /// was restored. Returns how many.
    @discardableResult static func reapply(
        _ erased: [DeviceErased], by author: String = "backup",
        _ connection: isolated PostgresConnection
    ) throws -> Int {
        var count = 0
        for event in erased {
            let isKnown: Bool = try connection.query(
                "SELECT EXISTS (SELECT FROM \(NamesSchema.name).erasures WHERE id = $1) AS known",
                [.uuid(event.id.bytes)])[0]["known"]
            guard !isKnown else { continue }
            try apply(event, by: author, isLate: true, connection)
            count += 1
        }
        return count
    }

    /// All erasures that are not forgotten.
    static func all(_ pool: PostgresPool) async throws -> [DeviceErased] {
        try await pool.withConnection { try await events("", $0) }
    }

    static func all(_ connection: isolated PostgresConnection) throws -> [DeviceErased] {
        try events("", connection)
    }

    /// Those that do not lie beside the backups yet, or the oldest thousand of them.
    static func uncopied(_ pool: PostgresPool) async throws -> [DeviceErased] {
        try await pool.withConnection { connection in
            try await events("WHERE copied_at IS NULL", limit: 1_000, connection)
        }
    }

    /// Those that lie beside the backups; nil where there is no table of erasures yet.
    static func copied(_ pool: PostgresPool) async throws -> [DeviceErased]? {
        try await pool.withConnection { try await copied($0) }
    }

    private static func copied(
        _ connection: isolated PostgresConnection
    ) throws -> [DeviceErased]? {
        let table = try connection.query(
            "SELECT to_regclass('\(NamesSchema.name).erasures') IS NOT NULL AS is_there")[0]
        return try table["is_there"] ? events("WHERE copied_at IS NOT NULL", connection) : nil
    }

    private static func events(
        _ condition: String, limit: Int? = nil, _ connection: isolated PostgresConnection
    ) throws -> [DeviceErased] {
        try connection.query(
            """
            SELECT id, site, device, erased_at FROM \(NamesSchema.name).erasures \(condition)
            ORDER BY id LIMIT $1
            """, [.optional(limit, PostgresValue.int)]
        ).compactMap { row in
            let id: [UInt8] = try row["id"]
            let (site, device): (String, String) = (try row["site"], try row["device"])
            let at = Timestamp(microseconds: try row["erased_at"])
            return EventID(bytes: id).map {
                DeviceErased(id: $0, site: SiteID(site), device: DeviceID(device), at: at)
            }
        }
    }

    /// Notes that these lie beside the backups.
    static func noteCopied(_ erased: [DeviceErased], _ pool: PostgresPool) async throws {
        try await pool.query(
            """
            UPDATE \(NamesSchema.name).erasures SET copied_at = clock_timestamp()
            WHERE id = ANY ($1::text[]::uuid[]) AND copied_at IS NULL
            """, [.textArray(erased.map(\.id.description))])
    }

    /// Whether an erasure lies beside the backups; nil where there are none.
    func isCopied(_ id: EventID) async throws -> Bool? {
        guard copies != nil else { return nil }
        return try await pool.query(
            """
            SELECT copied_at IS NOT NULL AS is_copied FROM \(NamesSchema.name).erasures
            WHERE id = $1
            """, [.uuid(id.bytes)]
        ).first.map { try $0["is_copied"] }
    }

    /// Whether there is or was such a site; a testers' site, too.
    func knows(_ site: SiteID) async throws -> Bool {
        try await pool.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.sites WHERE id = $1)
                OR EXISTS (SELECT FROM site_editor.drafts WHERE site = $1)
                OR EXISTS (SELECT FROM site_editor.removed_sites WHERE site = $1) AS known
            """, [.text(site.text)])[0]["known"]
    }

    /// When the device was last erased; nil if it was not, or so long ago that it is forgotten.
    func newest(of device: DeviceID, at site: SiteID) async throws -> Timestamp? {
        let newest: Int64? = try await pool.query(
            """
            SELECT max(erased_at) AS newest FROM \(NamesSchema.name).erasures
            WHERE site = $1 AND device = $2
            """, [.text(site.text), .text(device.text)])[0]["newest"]
        return newest.map(Timestamp.init(microseconds:))
    }

    func erasure(_ id: EventID, of site: SiteID) async throws -> DeviceErased? {
        try await pool.query(
            """
            SELECT device, erased_at FROM \(NamesSchema.name).erasures WHERE site = $1 AND id = $2
            """, [.text(site.text), .uuid(id.bytes)]
        ).first.map { row in
            DeviceErased(
                id: id, site: site, device: DeviceID(try row["device"]),
                at: Timestamp(microseconds: try row["erased_at"]))
        }
    }

    static let forgottenSitesMigration = """
        -- The removal of the site after which the log has lost all that was there. The site may
        -- have been made again and removed since, also by a process of the release before.
        ALTER TABLE site_editor.removed_sites ADD COLUMN forgotten_removal timestamptz
        """

    /// Forgets erasures that are older than this, and that a site had something on the log. An
    /// erasure that does not lie beside the backups yet is kept: a backup may still have the
    /// device.
    func forget(before moment: Timestamp) async throws {
        try await pool.query(
            """
            UPDATE site_editor.removed_sites SET forgotten_removal = removed_at
            WHERE removed_at < $1 AND forgotten_removal IS DISTINCT FROM removed_at
            """, [.timestamp(microseconds: moment.microseconds)])
        try await pool.query(
            """
            DELETE FROM \(NamesSchema.name).erasures
            WHERE erased_at < $1 AND (copied_at IS NOT NULL OR NOT $2)
            """, [.timestamp(microseconds: moment.microseconds), .bool(copies != nil)])
    }
}
