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
            lookup text NOT NULL,
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
    private static let mostTries = 5
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
        let code = ScannerCodes.enrolmentCode()
        let plain = ScannerCodes.plain(code)
        let expiresAt = moment.advanced(byMicroseconds: Self.validMicroseconds)
        try await pool.withTransaction { connection in
            try DeviceStore.keep(site, connection: connection)
            try Self.forget(at: moment, connection: connection)
            let open: Int = try connection.query(
                "SELECT count(*) AS count FROM \(Self.table) WHERE site = $1", [.text(site.text)]
            )[0]["count"]
            guard open < Self.mostOpen else { throw Refusal.tooMany }
            try connection.query(
                """
                INSERT INTO \(Self.table)
                    (hash, lookup, site, scanner, role, buildings, note, made_by, expires_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                """,
                [
                    .bytes(Self.hash(plain)), .text(ScannerCodes.lookup(plain)),
                    .text(site.text), .text(scanner.text), .text(order.role.rawValue),
                    .text(order.buildings.map(\.text).joined(separator: ",")), .text(order.note),
                    .text(issuer.id), .timestamp(microseconds: expiresAt.microseconds),
                ])
        }
        return (code, expiresAt)
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
            let rows = try connection.query(
                """
                SELECT hash, site, scanner, role, buildings, note, made_by FROM \(Self.table)
                WHERE lookup = $1 FOR UPDATE
                """, [.text(ScannerCodes.lookup(plain))])
            for row in rows {
                let known: [UInt8] = try row["hash"]
                guard isEqualInConstantTime(known, hash) else { continue }
                try connection.query("DELETE FROM \(Self.table) WHERE hash = $1", [.bytes(known)])
                return try Self.order(row).map { ($0, try row["made_by"]) }
            }
            try connection.query(
                "UPDATE \(Self.table) SET tries = tries + 1 WHERE lookup = $1",
                [.text(ScannerCodes.lookup(plain))])
            try connection.query(
                "DELETE FROM \(Self.table) WHERE tries >= $1", [.int(Self.mostTries)])
            return nil
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
        try connection.query(
            "DELETE FROM \(table) WHERE expires_at <= $1",
            [.timestamp(microseconds: moment.microseconds)])
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
