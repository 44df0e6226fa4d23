import Access
import Events
import HTTP
import Postgres
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Issues, lists and revokes tokens on a real PostgreSQL.
@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct TokenStoreTests {
    private static let museum = SiteID("museum")
    private static let other = SiteID("other")
    private let now = Timestamp(milliseconds: 1_795_248_000_000)

    private func store() async throws -> TokenStore {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        let store = TokenStore(pool: pool)
        try await store.prepare()
        return store
    }

    private func issuer(_ issued: TokenIssued) -> TokenStore.Issuer {
        TokenStore.Issuer(
            id: issued.id.description, grants: [Grant(issued)], expiresAt: issued.expiresAt)
    }

    @Test(
        "A token names the administrator who issued it, and is revoked with them on request"
    )
    func children() async throws {
        let store = try await store()
        let root = try await store.issue(
            .init(role: .administratorOfSite, site: Self.museum), at: now
        ).issued
        let child = try await store.issue(
            .init(role: .administratorOfSite, site: Self.museum), by: issuer(root), at: now
        ).issued
        let grandchild = try await store.issue(
            .init(role: .visitor, site: Self.museum), by: issuer(child), at: now
        ).issued
        #expect(child.issuedBy == root.id.description)
        let listed = try await store.live(
            .init(issuedBy: child.id.description), at: now)
        #expect(listed.map(\.issued.id) == [grandchild.id])
        let alone = try await store.revoke(root.id, at: now)
        #expect(alone == [root.hash])
        let gone = try await store.revoke(child.id, children: true, at: now)
        #expect(Set(gone) == [child.hash, grandchild.hash])
        #expect(try await store.live(at: now).isEmpty)
    }

    @Test("A token waits to be sent until the relay has taken it out of the outbox")
    func waitsToBeSent() async throws {
        let store = try await store()
        let issued = try await store.issue(
            .init(role: .visitor, site: Self.museum), at: now
        ).issued
        #expect(try await store.waitsToBeSent(issued))
        let other = try await store.issue(.init(role: .administrator), at: now).issued
        try await store.pool.query(
            "DELETE FROM site_editor.outbox WHERE key = $1", [.bytes(issued.recordKey)])
        #expect(try await !store.waitsToBeSent(issued))
        #expect(try await store.waitsToBeSent(other))
    }

    @Test("A caller of one site can't list or revoke another's tokens, nor issue more rights")
    func sites() async throws {
        let store = try await store()
        let own = try await store.issue(
            .init(role: .administratorOfSite, site: Self.museum), at: now
        ).issued
        let strange = try await store.issue(
            .init(role: .visitor, site: Self.other), at: now
        ).issued
        let global = try await store.issue(.init(role: .administrator), at: now).issued
        let listed = try await store.live(.init(sites: [Self.museum]), at: now)
        #expect(listed.map(\.issued.id) == [own.id])
        for id in [strange.id, global.id] {
            #expect(try await store.revoke(id, within: [Self.museum], at: now).isEmpty)
        }
        for order in [
            TokenOrder(role: .administrator), .init(role: .analyst, site: Self.other),
        ] {
            await #expect(throws: Issuing.Refusal.self) {
                try await store.issue(order, by: issuer(own), at: now)
            }
        }
        let late = TokenOrder(
            role: .visitor, site: Self.museum,
            expiresAt: own.expiresAt?.advanced(byMicroseconds: 1_000_000))
        await #expect(throws: Issuing.Refusal.self) {
            try await store.issue(late, by: issuer(own), at: now)
        }
    }

    @Test("A day after its end a token leaves the log, and others stay")
    func expired() async throws {
        let store = try await store()
        let day: Int64 = 24 * 3_600 * 1_000_000
        func issue(hours: Int64) async throws -> String {
            try await store.issue(
                TokenOrder(
                    role: .device, site: Self.museum, device: DeviceID("d-\(hours)"),
                    expiresAt: now.advanced(byMicroseconds: hours * 3_600_000_000)),
                at: now
            ).issued.hash
        }
        let (first, second) = (try await issue(hours: 1), try await issue(hours: 2))
        _ = try await issue(hours: 49)
        func tombstones() async throws -> [String] {
            try await store.pool.query(
                """
                SELECT convert_from(key, 'UTF8') AS key FROM site_editor.outbox
                WHERE value IS NULL ORDER BY id
                """
            ).map { try $0["key"] }
        }
        let end = now.advanced(byMicroseconds: 3_600_000_000)
        try await store.sweepExpired(at: end.advanced(byMicroseconds: day - 1))
        #expect(try await tombstones().isEmpty, "clocks differ")
        try await store.sweepExpired(at: end.advanced(byMicroseconds: day))
        #expect(try await tombstones() == [first])
        for _ in 0..<2 {
            try await store.sweepExpired(at: end.advanced(byMicroseconds: 2 * day))
            #expect(try await tombstones() == [first, second], "each once")
        }
    }

    @Test("A token that a clock took off the log too soon comes back, unless it was revoked")
    func endedTooSoon() async throws {
        let store = try await store()
        func issue() async throws -> TokenIssued {
            try await store.issue(
                TokenOrder(
                    role: .device, site: Self.museum, device: DeviceID("gate"), note: "by the door",
                    expiresAt: now.advanced(byMicroseconds: 3_600_000_000)),
                at: now
            ).issued
        }
        let (kept, revoked) = (try await issue(), try await issue())
        try await store.pool.query("DELETE FROM site_editor.outbox")
        try await store.sweepExpired(at: now.advanced(byMicroseconds: 365 * 86_400_000_000))
        _ = try await store.revoke(revoked.id, at: now)
        try await store.sweepExpired(at: now)
        func last(_ hash: String) async throws -> [UInt8]? {
            try await store.pool.query(
                """
                SELECT value FROM site_editor.outbox WHERE key = convert_to($1, 'UTF8')
                ORDER BY id DESC LIMIT 1
                """, [.text(hash)])[0]["value"]
        }
        #expect(try await last(kept.hash) == kept.withoutNote.json)
        #expect(try await last(revoked.hash) == nil)
        #expect(try await store.live(at: now).map(\.issued.hash) == [kept.hash])
    }

    @Test("Any number of expired tokens leaves the log, in several transactions")
    func manyExpired() async throws {
        let store = try await store()
        try await store.pool.query(
            """
            INSERT INTO site_editor_names.tokens (id, hash, role, note, issued_at, expires_at)
            SELECT gen_random_uuid(), number::text, 'visitor', '', $1, $1
            FROM generate_series(1, 2500) AS number
            """, [.timestamp(microseconds: now.microseconds)])
        try await store.sweepExpired(at: now.advanced(byMicroseconds: 48 * 3_600_000_000))
        let counts = try await store.pool.query(
            """
            SELECT count(*) AS sent,
                (SELECT count(DISTINCT off_log_since) FROM site_editor_names.tokens) AS times,
                (SELECT count(DISTINCT xmin::text) FROM site_editor_names.tokens) AS changes
            FROM site_editor.outbox WHERE value IS NULL
            """)[0]
        let (sent, times, changes): (Int, Int, Int) = (
            try counts["sent"], try counts["times"], try counts["changes"]
        )
        #expect(sent == 2_500 && times == 1 && changes == 3)
    }

    @Test("Tokens are listed a page at a time, with when they were last used")
    func pages() async throws {
        let store = try await store()
        var ids: [EventID] = []
        for number in 0..<5 {
            let moment = now.advanced(byMicroseconds: Int64(number) * 1_000_000)
            ids.append(
                try await store.issue(.init(role: .visitor, site: Self.museum), at: moment)
                    .issued.id)
        }
        try await store.note([(token: ids[1], at: now), (token: ids[1], at: now)])
        var read: [TokenStore.Row] = []
        while true {
            let page = try await store.live(
                .init(after: read.last?.issued.id, limit: 2), at: now)
            read += page
            if page.count < 2 { break }
        }
        #expect(read.map(\.issued.id) == ids)
        #expect(read.map(\.lastUsedAt) == [nil, now, nil, nil, nil])
    }
}
