import Backups
import Cryptography
import Events
import Foundation
import LogViews
import Postgres
import Privacy
import Retrying
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Storage
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Enrolled devices",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DeviceStoreTests {
    private static let site = SiteID("museum")
    private static let key = [UInt8](repeating: 9, count: 16)
    private static let moment = Timestamp(milliseconds: 1_795_305_600_000)

    private static func store() async throws -> DeviceStore {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        return DeviceStore(pool: pool, secret: "a secret of services")
    }

    private static func submission(_ members: String) throws -> DeviceSubmission {
        try DeviceSubmission(json: Array("{\(members)}".utf8))
    }

    @Test("have random ids, and their identity keys lie sealed in the table")
    func enrolled() async throws {
        let store = try await Self.store()
        let hex = hexadecimal(Self.key)
        let one = try await store.enrol(
            Self.submission(#""name": "Anna's watch", "identityKey": "\#(hex)""#),
            site: Self.site, owner: nil, limit: nil, at: Self.moment)
        let two = try await store.enrol(
            Self.submission(#""name": "Anna's phone""#), site: Self.site, owner: nil, limit: nil,
            at: Self.moment)
        #expect(one.id != two.id && !one.id.text.contains("nna"))
        let privacy = try #require(try await store.enrolled()[Self.site])
        #expect(privacy.enrolled == [one.id, two.id])
        #expect(privacy.identities == [.init(device: one.id, key: Self.key)])
        let sealed: [UInt8] = try await store.pool.query(
            "SELECT identity_key FROM site_editor_names.devices WHERE id = $1",
            [.text(one.id.text)])[0]["identity_key"]
        #expect(!sealed.starts(with: Self.key) && sealed.count > 40)
    }

    @Test("have a state that changes with ids and keys only, as long as the secret is the same")
    func state() async throws {
        let store = try await Self.store()
        let empty = try await store.state()
        let one = try await store.enrol(
            Self.submission(#""name": "watch", "identityKey": "\#(hexadecimal(Self.key))""#),
            site: Self.site, owner: nil, limit: nil, at: Self.moment)
        let keyed = try await store.state()
        _ = try await store.change(one.id, of: Self.site, to: Self.submission(#""name": "new""#))
        #expect(try await store.state() == keyed)
        _ = try await store.change(
            one.id, of: Self.site, to: Self.submission(#""identityKey": null"#))
        let keyless = try await store.state()
        _ = try await store.pool.query("UPDATE site_editor_names.devices SET site = 'other'")
        let moved = try await store.state()
        let other = try await DeviceStore(pool: store.pool, secret: "another secret").state()
        #expect(Set([empty, keyed, keyless, moved, other]).count == 5)
    }

    @Test("are handed to scan-ingest with a tag that stays until something changes")
    func tagged() async throws {
        let store = try await Self.store()
        let bench = try await ServiceBench()
        bench.publish(SampleSite.index)
        let app = try bench.serve(
            DeviceRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security, devices: store,
                dayKeys: DayKeyStore(pool: store.pool, hour: 4),
                erasures: ErasureStore(pool: store.pool, bell: OutboxBell()), keepers: [],
                keptOnLog: nil
            ).all)
        func ask(_ tag: String? = nil) async throws -> Answer {
            try await app.send(
                "GET", "/v1/day-keys", token: ServiceBench.serviceSecret,
                headers: tag.map { ["if-none-match": $0] } ?? [:])
        }
        let hex = hexadecimal(Self.key)
        let device = try await store.enrol(
            Self.submission(#""name": "watch", "identityKey": "\#(hex)""#), site: SampleSite.id,
            owner: nil, limit: nil, at: Self.moment)
        let first = try await ask()
        let privacy = try #require(try SitePrivacyList.read(first.body)[SampleSite.id])
        #expect(first.status == 200 && privacy.enrolled == [device.id])
        #expect(privacy.identities.map(\.key) == [Self.key] && !privacy.keys.keys.isEmpty)
        let tag = try #require(first.headers["etag"])
        let known = try await ask(tag)
        #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
        _ = try await store.enrol(
            Self.submission(#""name": "phone""#), site: SampleSite.id, owner: nil, limit: nil,
            at: Self.moment)
        #expect(try await ask(tag).status == 200)
        bench.pass(seconds: 86_400)
        let next = try await ask()
        #expect(next.headers["etag"] != tag)
        #expect(try await ask(next.headers["etag"]).status == 304)
    }

    private static func account(_ name: String, _ store: DeviceStore) async throws -> AccountID {
        let row = AccountRow(
            id: AccountStore.newID(at: moment), signIn: name, name: name, password: nil,
            issuer: nil, grants: [], madeAt: moment, madeBy: "test")
        try await store.pool.withTransaction { try AccountStore.insert(row, connection: $0) }
        return row.id
    }

    @Test("are erased with the account that enrolled them")
    func endedAccount() async throws {
        let store = try await Self.store()
        let accounts = AccountStore(pool: store.pool, bell: OutboxBell())
        let anna = try await Self.account("anna", store)
        let own = try await store.enrol(
            Self.submission(#""name": "watch""#), site: Self.site, owner: anna, limit: 20,
            at: Self.moment)
        let other = try await store.enrol(
            Self.submission(#""name": "cart""#), site: Self.site, owner: nil, limit: nil,
            at: Self.moment)
        #expect(try await accounts.end(anna, at: Self.moment) { _ in } == 0)
        await #expect(throws: GrantsChanged.self) {
            try await store.enrol(
                Self.submission(#""name": "late""#), site: Self.site, owner: anna, limit: 20,
                at: Self.moment)
        }
        #expect(try await store.device(own.id, of: Self.site) == nil)
        #expect(try await store.device(other.id, of: Self.site) != nil)
        let erased: [String] = try await store.pool.query(
            "SELECT device FROM site_editor_names.erasures"
        ).map { try $0["device"] }
        #expect(erased == [own.id.text])
    }

    @Test("share no identity key, and a change can give one or take it away")
    func keys() async throws {
        let store = try await Self.store()
        let named = #""name": "watch", "identityKey": "\#(hexadecimal(Self.key))""#
        let one = try await store.enrol(
            Self.submission(named), site: Self.site, owner: nil, limit: nil, at: Self.moment)
        await #expect(throws: DeviceRefusal.self) {
            try await store.enrol(
                Self.submission(named), site: Self.site, owner: nil, limit: nil, at: Self.moment)
        }
        let renamed = try await store.change(
            one.id, of: Self.site, to: Self.submission(#""name": "new""#))
        #expect(renamed?.name == "new" && renamed?.hasIdentityKey == true)
        let without = try await store.change(
            one.id, of: Self.site, to: Self.submission(#""identityKey": null"#))
        #expect(without?.name == "new" && without?.hasIdentityKey == false)
        let none = try await store.change(
            DeviceID("d-none"), of: Self.site, to: Self.submission(#""name": "new""#))
        #expect(none == nil)
    }

    @Test("have no identity keys where no secret is set that outlasts the process")
    func noSecret() async throws {
        let sealing = try await Self.store()
        let store = DeviceStore(pool: sealing.pool, secret: nil)
        let named = #""name": "watch", "identityKey": "\#(hexadecimal(Self.key))""#
        await #expect(throws: DeviceRefusal.self) {
            try await store.enrol(
                Self.submission(named), site: Self.site, owner: nil, limit: nil, at: Self.moment)
        }
        _ = try await store.enrol(
            Self.submission(#""name": "phone""#), site: Self.site, owner: nil, limit: nil,
            at: Self.moment)
        #expect(try await store.enrolled()[Self.site]?.identities.isEmpty == true)
    }

    @Test("of one person are limited, and listed for that person")
    func owners() async throws {
        let store = try await Self.store()
        let anna = try await Self.account("anna", store)
        let bert = try await Self.account("bert", store)
        for owner in [anna, anna, bert] {
            _ = try await store.enrol(
                Self.submission(#""name": "phone""#), site: Self.site, owner: owner, limit: 2,
                at: Self.moment)
        }
        await #expect(throws: DeviceRefusal.self) {
            try await store.enrol(
                Self.submission(#""name": "phone""#), site: Self.site, owner: anna, limit: 2,
                at: Self.moment)
        }
        let own = try await store.devices(of: Self.site, owner: anna, after: nil, limit: 10)
        let all = try await store.devices(of: Self.site, owner: nil, after: nil, limit: 10)
        #expect(own.count == 2 && all.count == 3)
        let rest = try await store.devices(
            of: Self.site, owner: nil, after: all[0].id, limit: 10)
        #expect(rest == Array(all.dropFirst()))
    }

    @Test("are erased by one person a limited number of times a day")
    func erasing() async throws {
        let store = try await Self.store()
        let erasures = ErasureStore(pool: store.pool, bell: OutboxBell())
        func erase(_ caller: String, limit: Int?, hours: Int64 = 0) async throws {
            _ = try await erasures.erase(
                DeviceID("d-1"), of: Self.site, by: caller, limit: limit,
                at: Self.moment.advanced(byMicroseconds: hours * 3_600_000_000))
        }
        for _ in 0..<2 { try await erase("account/anna", limit: 2) }
        await #expect(throws: DeviceRefusal.self) { try await erase("account/anna", limit: 2) }
        try await erase("account/bert", limit: 2)
        try await erase("account/anna", limit: nil)
        try await erase("account/anna", limit: 2, hours: 25)
    }

    @Test("are copied beside the backups once, when they are erased", .timeLimit(.minutes(1)))
    func copied() async throws {
        let store = try await Self.store()
        let erasures = ErasureStore(pool: store.pool, bell: OutboxBell())
        let event = try await erasures.erase(
            DeviceID("d-1"), of: Self.site, by: "account/anna", at: Self.moment)
        #expect(try await erasures.isCopied(event.id) == nil, "there are no backups here")
        #expect(try await ErasureStore.uncopied(store.pool) == [event])
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ErasureFiles(FolderPlace(path: folder.path))
        let copies = ErasureCopies(store.pool, files, EventClock { Self.moment })
        var copying = erasures
        copying.copies = copies
        #expect(try await copying.isCopied(event.id) == false)
        let keeping = Task { await copies.keep(.unheard) }
        while try await copying.isCopied(event.id) != true {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await files.all() == [event])
        let next = try await copying.erase(
            DeviceID("d-2"), of: Self.site, by: "account/anna", at: Self.moment)
        while try await copying.isCopied(next.id) != true {
            try await Task.sleep(for: .milliseconds(10))
        }
        keeping.cancel()
        #expect(try await ErasureStore.uncopied(store.pool) == [])
    }

    @Test("are forgotten when they lie beside the backups, where there are any")
    func forgetting() async throws {
        let store = try await Self.store()
        let erasures = ErasureStore(pool: store.pool, bell: OutboxBell())
        func erase() async throws -> DeviceErased {
            try await erasures.erase(
                DeviceID("d-1"), of: Self.site, by: "account/anna", at: Self.moment)
        }
        let (copied, waiting) = (try await erase(), try await erase())
        try await ErasureStore.noteCopied([copied], store.pool)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        var copying = erasures
        copying.copies = ErasureCopies(
            store.pool, ErasureFiles(FolderPlace(path: folder.path)), EventClock { Self.moment })
        let later = Self.moment.advanced(byMicroseconds: 1)
        try await copying.forget(before: later)
        #expect(try await ErasureStore.all(store.pool) == [waiting])
        try await erasures.forget(before: later)
        #expect(try await ErasureStore.all(store.pool).isEmpty)
    }

    @Test(
        "are refused with a key that is no key, or that did not make the address",
        arguments: [
            #""identityKey": "abc""#, #""identityKey": 5"#, #""other": 1"#,
            #""identityKey": "ec0234a357c8ad05341010a60a397d9b", "address": "70:81:94:0d:fb:ab""#,
            #""address": "70:81:94:0d:fb:aa""#,
        ])
    func malformed(members: String) {
        #expect(throws: WireFault.self) { try Self.submission(#""name": "x", \#(members)"#) }
    }

    @Test("are accepted with a key and the address that it made")
    func checkedKey() throws {
        let submission = try Self.submission(
            #""identityKey": "EC0234A357C8AD05341010A60A397D9B", "address": "70:81:94:0d:fb:aa""#)
        #expect(submission.identityKey?.count == 16)
    }
}
