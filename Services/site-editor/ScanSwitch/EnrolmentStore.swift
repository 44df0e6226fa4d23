import Access
import Cryptography
import Events
import Postgres
import ServiceHost
import Wire

/// Stores the codes by which scanners get their tokens. A code works once, for ten minutes, and
/// ends after five wrong tries.
struct EnrolmentStore: Sendable {
    static let table = "site_editor.enrolment_codes"
    static let migration = """
        CREATE TABLE \(table) (
            hash bytea PRIMARY KEY,
            -- The first characters of the code, by which it is found.
            lookup text NOT NULL UNIQUE,
            site text NOT NULL,
            scanner text NOT NULL,
            role text NOT NULL,
            buildings text NOT NULL,
            note text NOT NULL,
            made_by text NOT NULL,
            expires_at timestamptz NOT NULL,
            tries integer NOT NULL DEFAULT 0)
        """

    private static let validMicroseconds: Int64 = 600_000_000
    /// A code that ends so long after the usual time is of a clock that was wrong.
    private static let aheadMicroseconds: Int64 = 3_600_000_000
    private static let mostTries = 5
    /// Some thousand of a million lookups are taken at most, so the second draw is rare already.
    private static let mostDraws = 8
    /// The most open codes of a site.
    private static let mostOpen = 1_000

    enum Refusal: Error { case tooMany, unknown }

    let pool: PostgresPool
    let tokens: TokenStore
    let directory: TokenDirectory

    /// Makes a code for the token that the order describes.
    func make(
        _ order: TokenOrder, by issuer: TokenStore.Issuer, at moment: Timestamp
    ) async throws -> (code: String, expiresAt: Timestamp) {
        guard let site = order.site, let scanner = order.device else {
            throw Issuing.Refusal.deviceMissing
        }
        try order.checkForm()
        try Issuing.check(
            order.role, site: site, buildings: order.buildings, device: scanner,
            issuer: issuer.grants)
        let expiresAt = moment.advanced(byMicroseconds: Self.validMicroseconds)
        let code = try await pool.withTransaction { connection -> String in
            try DeviceStore.keep(site, connection: connection)
            try Self.forget(at: moment, connection: connection)
            let open: Int = try connection.query(
                "SELECT count(*) AS count FROM \(Self.table) WHERE site = $1", [.text(site.text)]
            )[0]["count"]
            guard open < Self.mostOpen else { throw Refusal.tooMany }
            for _ in 0..<Self.mostDraws {
                let code = ScannerCodes.enrolmentCode()
                let rows = try connection.query(
                    """
                    INSERT INTO \(Self.table)
                        (hash, lookup, site, scanner, role, buildings, note, made_by, expires_at)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
                    """,
                    Self.values(
                        ScannerCodes.plain(code), order, site, scanner, by: issuer.id, expiresAt))
                if rows.affected == 1 { return code }
            }
            throw Refusal.tooMany
        }
        return (code, expiresAt)
    }

    private static func values(
        _ plain: String, _ order: TokenOrder, _ site: SiteID, _ scanner: DeviceID,
        by maker: String, _ expiresAt: Timestamp
    ) -> [PostgresValue] {
        [
            .bytes(hash(plain)), .text(ScannerCodes.lookup(plain)), .text(site.text),
            .text(scanner.text), .text(order.role.rawValue),
            .text(order.buildings.map(\.text).joined(separator: ",")), .text(order.note),
            .text(maker), .timestamp(microseconds: expiresAt.microseconds),
        ]
    }

    /// Uses a code up, and issues its token in the name of who made the code.
    func redeem(
        _ code: String, at moment: Timestamp
    ) async throws -> (token: String, issued: TokenIssued) {
        let plain = ScannerCodes.plain(code)
        let hash = Self.hash(plain)
        let found = try await pool.withTransaction {
            connection -> (order: TokenOrder, maker: String)? in
            try Self.forget(at: moment, connection: connection)
            // One statement finds the code and counts the try, so tries at once count one by one.
            // No other code has the lookup.
            let rows = try connection.query(
                """
                UPDATE \(Self.table) SET tries = tries + 1 WHERE lookup = $1
                RETURNING hash, tries, site, scanner, role, buildings, note, made_by
                """, [.text(ScannerCodes.lookup(plain))])
            guard let row = rows.first else { return nil }
            let (known, tries): ([UInt8], Int) = (try row["hash"], try row["tries"])
            let isRight = isEqualInConstantTime(known, hash)
            if isRight || tries >= Self.mostTries {
                try connection.query("DELETE FROM \(Self.table) WHERE hash = $1", [.bytes(known)])
            }
            guard isRight else { return nil }
            return try Self.order(row).map { ($0, try row["made_by"]) }
        }
        guard let found, let issuer = try await issuer(found.maker) else {
            throw Refusal.unknown
        }
        return try await tokens.issue(found.order, by: issuer, at: moment)
    }

    /// Who made the code, with the present grants; nil where the account or token has ended. A
    /// program's token makes none that outlives it.
    private func issuer(_ maker: String) async throws -> TokenStore.Issuer? {
        guard maker.hasPrefix(AccountChanged.keyPrefix) else {
            return EventID(maker).flatMap(directory.caller(ofToken:)).map {
                TokenStore.Issuer(id: maker, grants: $0.grants, expiresAt: $0.expiresAt)
            }
        }
        guard let id = AccountID(String(maker.dropFirst(AccountChanged.keyPrefix.count))) else {
            return nil
        }
        let grants = try await pool.withTransaction { connection in
            try AccountStore.account(id, connection: connection)?.grants.map(Grant.init)
        }
        return grants.map { TokenStore.Issuer(id: maker, grants: $0, expiresAt: nil) }
    }

    func sweep(at moment: Timestamp) async throws {
        try await pool.withTransaction { try Self.forget(at: moment, connection: $0) }
    }

    private static func forget(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let ahead = moment.advanced(byMicroseconds: validMicroseconds + aheadMicroseconds)
        try connection.query(
            "DELETE FROM \(table) WHERE expires_at <= $1 OR expires_at > $2",
            [
                .timestamp(microseconds: moment.microseconds),
                .timestamp(microseconds: ahead.microseconds),
            ])
    }

    private static func order(_ row: PostgresRow) throws -> TokenOrder? {
        let (role, buildings): (String, String) = (try row["role"], try row["buildings"])
        guard let role = TokenRole(rawValue: role) else { return nil }
        var order = TokenOrder(
            role: role, site: SiteID(try row["site"]), device: DeviceID(try row["scanner"]),
            note: try row["note"])
        order.buildings = buildings.split(separator: ",").map { BuildingID(String($0)) }
        return order
    }

    private static func hash(_ plain: String) -> [UInt8] {
        ScannerCodes.hash(plain, for: "enrolment")
    }
}
