import Events
import Foundation
import Postgres
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "The keys of pseudonyms in site-editor",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DayKeyStoreTests {
    private static let hour: Int64 = 3_600_000_000

    private static func store() async throws -> DayKeyStore {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        return DayKeyStore(pool: pool, hour: 4)
    }

    private static func bench(zone: String) async throws -> ServiceBench {
        let bench = try await ServiceBench()
        var document = SampleSite.index.document
        document.buildings[0].timeZone = zone
        bench.publish(try SiteIndex(document))
        return bench
    }

    /// The hours of a time by UTC since midnight.
    private static func hourOfDay(_ time: Timestamp) -> Int {
        Int(time.microseconds / hour % 24)
    }

    @Test(
        "are one for each day of the site's own clock, without gaps, a day ahead",
        arguments: [("Europe/London", 4), ("Asia/Tokyo", 19), ("Nowhere/None", 4)])
    func days(zone: String, begins: Int) async throws {
        let store = try await Self.store()
        let bench = try await Self.bench(zone: zone)
        var secrets: Set<[UInt8]> = []
        for _ in 0..<6 {
            let now = bench.clock.now
            let keys = try #require(
                try await store.renew(bench.sites, at: now)[SampleSite.id]?.keys)
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.ends == $1.begins })
            #expect(keys.allSatisfy { Self.hourOfDay($0.begins) == begins })
            #expect(keys.contains { $0.begins <= now && now < $0.ends })
            #expect(keys.last!.ends - now > DayKey.keptMicroseconds)
            #expect(now < keys.first!.forgotten)
            secrets.formUnion(keys.map(\.secret))
            let stored: Int = try await store.pool.query(
                "SELECT count(*) AS count FROM site_editor.day_keys")[0]["count"]
            #expect(stored == keys.count)
            bench.pass(seconds: 12 * 3_600)
        }
        // Three days of half-days, with the day before and two ahead.
        #expect((5...6).contains(secrets.count))
    }

    @Test("are handed out alike by every process, and made anew after PostgreSQL lost them")
    func alike() async throws {
        let store = try await Self.store()
        let bench = try await Self.bench(zone: "Europe/London")
        let first = try await store.renew(bench.sites, at: bench.clock.now)
        let other = DayKeyStore(pool: store.pool, hour: 4)
        #expect(try await other.renew(bench.sites, at: bench.clock.now) == first)
        _ = try await store.pool.query("TRUNCATE site_editor.day_keys")
        let anew = try await store.renew(bench.sites, at: bench.clock.now)
        #expect(anew[SampleSite.id]?.keys.map(\.begins) == first[SampleSite.id]?.keys.map(\.begins))
        #expect(anew != first)
    }

    @Test(
        "are there for now again after a clock was ahead for a moment",
        arguments: [1, 24, 25, 47, 48, 72, 24 * 800] as [Int64])
    func ahead(hours: Int64) async throws {
        let store = try await Self.store()
        let bench = try await Self.bench(zone: "Europe/London")
        let now = bench.clock.now
        for moment in [now, now.advanced(byMicroseconds: hours * Self.hour)] {
            _ = try await store.renew(bench.sites, at: moment)
        }
        let keys = try #require(try await store.renew(bench.sites, at: now)[SampleSite.id])
        let key = try keys.key(at: now, now: now)
        #expect(key.begins <= now && now < key.ends)
        #expect(zip(keys.keys, keys.keys.dropFirst()).allSatisfy { $0.ends == $1.begins })
        #expect(keys.keys.last!.ends - now > DayKey.keptMicroseconds)
        #expect(try await store.renew(bench.sites, at: now)[SampleSite.id] == keys)
    }

    @Test("stay where one process does not know the site, until their time is over")
    func unknownSite() async throws {
        let store = try await Self.store()
        let bench = try await Self.bench(zone: "Europe/London")
        let first = try await store.renew(bench.sites, at: bench.clock.now)
        let none = SiteDirectory()
        none.replace(with: [:])
        #expect(try await store.renew(none, at: bench.clock.now) == first)
        #expect(try await store.renew(bench.sites, at: bench.clock.now) == first)
        bench.pass(seconds: 6 * 86_400)
        #expect(try await store.renew(none, at: bench.clock.now).isEmpty)
    }

    @Test("have days of 23 and 25 hours when the clocks change")
    func clocksChange() throws {
        let zone = try #require(TimeZone(identifier: "Europe/London"))
        for (text, hours) in [
            ("2026-03-28T04:00:00Z", 23), ("2026-10-24T03:00:00Z", 25),
            ("2026-06-01T03:00:00Z", 24),
        ] {
            let begins = try #require(Timestamp(text: text))
            let ends = DayKeyStore.end(ofDayFrom: begins, zone, 4)
            #expect((ends - begins) / Self.hour == Int64(hours))
            #expect(DayKeyStore.begin(of: begins, zone, 4) == begins)
        }
    }

    @Test("are written into a new file when one is forgotten, and the old file goes")
    func forgotten() async throws {
        let store = try await Self.store()
        let bench = try await Self.bench(zone: "Europe/London")
        let old = try await store.renew(bench.sites, at: bench.clock.now)[SampleSite.id]
        func file() async throws -> String {
            try await store.pool.query(
                "SELECT pg_relation_filepath('site_editor.day_keys') AS file")[0]["file"]
        }
        let before = try await file()
        bench.pass(seconds: 48 * 3_600)
        let new = try await store.renew(bench.sites, at: bench.clock.now)[SampleSite.id]
        #expect(new?.keys.contains { $0 == old?.keys.first } == false)
        #expect(try await file() != before)
        // The transaction's end cut the old file to nothing. The next checkpoint removes it.
        let size: Int64? = try await store.pool.query(
            "SELECT (pg_stat_file($1, true)).size AS size", [.text(before)])[0]["size"]
        #expect((size ?? 0) == 0)
    }
}
