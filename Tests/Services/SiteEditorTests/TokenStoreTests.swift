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
