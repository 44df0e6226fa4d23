import EventLog
import Events
import LogViews
import Positioning
import Postgres
import Retrying
import SampleSites
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

/// Surveys for these tests, and the view on a database of its own.
private struct RecordsBench {
    static let site = SiteID("museum")
    static let start = Timestamp(milliseconds: 1_795_305_600_000)

    let pool: PostgresPool
    let view = SurveysView()
    var offset: Int64 = 0

    init() async throws {
        pool = try await ServiceBench.database()
        try await pool.migrate(view, schema: view.schema)
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
    }

    static func survey(_ number: Int, device: String = "pi-1") -> SurveyRecorded {
        let at = start.advanced(byMicroseconds: Int64(number) * 1_000_000)
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: 5, low: UInt64(number)), site: site, device: DeviceID(device),
                scanner: ScannerID(device), at: at, receivedAt: at,
                wifi: [
                    WiFiReading(bssid: HardwareAddress(value: 1), ssid: "own", rssi: -50),
                    WiFiReading(
                        bssid: HardwareAddress(value: UInt64(10 + number)), ssid: nil, rssi: -60),
                ]),
            place: .metres(floor: FloorID("ground"), x: 1, y: 2), author: "a surveyor")
    }

    static func key(_ number: Int) -> SurveyKey {
        SurveyKey(site, EventID(high: 5, low: UInt64(number)))
    }

    mutating func apply(_ records: [LogRecord]) async throws {
        let stored = records.map { record in
            offset += 1
            return StoredRecord(
                topic: record.topic, partition: 0, offset: offset,
                appendedAtMicroseconds: Self.start.microseconds, key: record.key,
                value: record.value, headers: record.headers)
        }
        let (view, pool) = (view, pool)
        let faults = try await pool.withTransaction { connection in
            try await view.apply(stored, schema: view.schema, connection: connection)
        }
        #expect(faults.isEmpty)
    }

    /// Inserts rows as the release a13180a did.
    func insertAsBefore(_ surveys: [(number: Int, device: String)]) async throws {
        for (number, device) in surveys {
            let survey = Self.survey(number, device: device)
            try await pool.query(
                """
                INSERT INTO fingerprint_builder.surveys (id, site, device, at, event)
                VALUES ($1, $2, $3, $4, $5)
                """,
                [
                    .uuid(survey.scan.id.bytes), .text(Self.site.text), .text(device),
                    .timestamp(microseconds: survey.scan.at.microseconds), .bytes(survey.json),
                ])
        }
    }

    /// All rows of the tables that surveys make, as text.
    func rows() async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', 's', id, device, is_named, log_offset) AS line
            FROM fingerprint_builder.surveys
            UNION ALL SELECT concat_ws(' ', 'm', access_point, survey, rssi)
            FROM fingerprint_builder.measurements
            UNION ALL SELECT concat_ws(' ', 'a', id, name, first_heard, last_heard, measurements)
            FROM fingerprint_builder.access_points
            UNION ALL SELECT concat_ws(' ', 'n', site, surveys, reviews)
            FROM fingerprint_builder.sites
            ORDER BY line
            """
        ).map { try $0["line"] }
    }

    /// Stores a map with one part that holds nothing.
    func publish(
        _ version: Int, surveys: Int, reviews: Int, in store: RadioMapStore
    ) async throws {
        let announcement = RadioMapAnnounced(
            site: Self.site, version: version, hash: "whole \(version)", byteCount: 1,
            siteVersion: 1, surveyOffsets: [], builderVersion: "1",
            builtAt: Self.start, fingerprints: 0, accessPoints: 0)
        let part = MadePart(
            announced: .init(
                building: BuildingID("house"), hash: "map \(version)", byteCount: 1),
            part: .empty, inputs: "",
            new: .init(
                bytes: [1], notes: PartNotes([], refused: []), surveys: [], discarded: [],
                rejections: 0))
        _ = try await store.publish(
            MapPublication(
                announcement: announcement, parts: [part], surveys: surveys,
                reviews: reviews),
            source: MapBuilder.source)
    }

    func outbox() async throws -> Int {
        try await pool.query("SELECT count(*) AS number FROM radio_maps.outbox")[0]["number"]
    }
}

@Suite(
    "Surveys with a key for each",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SurveyRecordsTests {
    @Test(
        "a tombstone takes the survey out of every row, however records are batched",
        arguments: [1, 2, 3, 100])
    func tombstones(batch: Int) async throws {
        let survey = RecordsBench.survey
        let records =
            (1...4).map { survey($0, "pi-1").record(source: "/test") }
            + [RecordsBench.key(4).tombstone, RecordsBench.key(1).tombstone]
            + [survey(5, "pi-1").record(source: "/test"), RecordsBench.key(9).tombstone]
        var bench = try await RecordsBench()
        for start in stride(from: 0, to: records.count, by: batch) {
            try await bench.apply(Array(records[start..<min(start + batch, records.count)]))
        }
        var other = try await RecordsBench()
        try await other.apply([2, 3, 5].map { survey($0, "pi-1").record(source: "/test") })
        #expect(try await bench.rows() == other.rows())
    }

    @Test("a copy of an earlier topic's survey is known by its former offset")
    func copies() async throws {
        let former = StoredRecord(
            topic: Topic.surveys.name, partition: 2, offset: 41, appendedAtMicroseconds: 0,
            key: Array("museum/ground".utf8),
            value: RecordsBench.survey(1).record(source: "/scan-ingest").value,
            headers: RecordsBench.survey(1).record(source: "/scan-ingest").headers)
        let outputs = SurveyCopying.copies(of: [
            former,
            StoredRecord(
                topic: Topic.surveys.name, partition: 2, offset: 42, appendedAtMicroseconds: 0,
                key: nil, value: Array("no survey".utf8), headers: LogHeaders()),
        ])
        #expect(outputs.setAside.map(\.record.offset) == [42])
        let copy = try #require(outputs.records.first)
        #expect(copy.topic == Topic.surveyRecords.name && copy.key == RecordsBench.key(1).bytes)
        #expect(copy.value == former.value)
        var bench = try await RecordsBench()
        try await bench.apply([copy, RecordsBench.survey(2).record(source: "/test")])
        #expect(
            try await bench.rows().filter { $0.hasPrefix("s") } == [
                "s \(RecordsBench.key(1).survey) pi-1 f 41",
                "s \(RecordsBench.key(2).survey) pi-1 t",
            ])
    }

    @Test("a withdrawn survey gets one tombstone, and another one if it is still there later")
    func withdrawn() async throws {
        var bench = try await RecordsBench()
        let removal = SurveyRemoval(
            log: try await ServiceBench().log, pool: bench.pool, bell: OutboxBell())
        let (site, at) = (RecordsBench.site, RecordsBench.start.advanced(byMicroseconds: 2_500_000))
        try await bench.apply(
            (1...4).map { RecordsBench.survey($0).record(source: "/test") } + [
                SurveysWithdrawn(site: site, which: .author("a surveyor"), by: "keeper", at: at)
                    .record(source: "/test"),
                SurveysWithdrawn(
                    site: site, which: .survey(RecordsBench.key(4).survey), by: "keeper", at: at
                ).record(source: "/test"),
            ])
        try await removal.removeWhatIsDue()
        try await removal.removeWhatIsDue()
        #expect(try await bench.outbox() == 3)
        try await bench.pool.query(
            "UPDATE radio_maps.removed_surveys SET put_at = put_at - interval '61 seconds'")
        try await bench.apply([RecordsBench.key(1).tombstone, RecordsBench.key(4).tombstone])
        try await removal.removeWhatIsDue()
        #expect(try await bench.outbox() == 4, "survey 2 was still there")
        try await bench.apply([RecordsBench.key(2).tombstone])
        try await removal.removeWhatIsDue()
        let waiting: Int = try await bench.pool.query(
            "SELECT count(*) AS number FROM radio_maps.removed_surveys")[0]["number"]
        #expect(waiting == 0)
        #expect(try await bench.rows().contains("n museum 1 2"))
    }

    @Test(
        "a row of an earlier release is erased or withdrawn like any other",
        arguments: [true, false])
    func former(isMigrated: Bool) async throws {
        var bench = try await RecordsBench()
        let site = RecordsBench.site
        if isMigrated {
            // As the release before wrote it: the step and the one after it were not there yet.
            try await bench.pool.query(
                """
                DELETE FROM public.migrations WHERE schema_name = 'fingerprint_builder'
                    AND name IN ('arrival-of-former-surveys', 'taps')
                """)
            try await bench.pool.query("DROP TABLE fingerprint_builder.taps")
        }
        try await bench.insertAsBefore([(1, "anna"), (2, "bert"), (3, "anna")])
        if isMigrated {
            try await bench.pool.migrate(bench.view, schema: bench.view.schema)
            let filled: Int = try await bench.pool.query(
                """
                SELECT count(*) AS number FROM fingerprint_builder.surveys
                WHERE received_at = at AND author = 'a surveyor'
                """)[0]["number"]
            #expect(filled == 3)
        }
        // The copy tells where the former topic has the survey.
        let service = try await ServiceBench()
        let record = RecordsBench.survey(1, device: "anna").record(source: "/test")
        try await service.log.append([
            LogRecord(
                topic: Topic.surveys.name, key: Array("museum/ground".utf8), value: record.value,
                headers: record.headers)
        ])
        let former = try #require(try await service.records(of: .surveys).first)
        try await bench.apply([FormerSurveyOffset.copy(of: former)])
        let at = RecordsBench.start.advanced(byMicroseconds: 2_500_000)
        try await bench.apply([
            DeviceErased(
                id: EventID(high: 7, low: 1), site: site, device: DeviceID("anna"), at: at
            ).record(source: "/test"),
            SurveysWithdrawn(site: site, which: .author("a surveyor"), by: "keeper", at: at)
                .record(source: "/test"),
        ])
        let removal = SurveyRemoval(log: service.log, pool: bench.pool, bell: OutboxBell())
        try await removal.removeWhatIsDue()
        let gone: [String] = try await bench.pool.query(
            "SELECT survey::text AS id FROM radio_maps.removed_surveys ORDER BY 1"
        ).map { try $0["id"] }
        // An author is known where the event names one, and the step or a copy has read it.
        let expected = isMigrated ? [1, 2] : [1]
        #expect(gone == expected.map { RecordsBench.key($0).survey.description })
        #expect(try await service.records(of: .surveys).isEmpty)
        try await removal.finishErasures()
        let done: Int = try await bench.pool.query(
            """
            SELECT count(*) AS number FROM fingerprint_builder.erasures WHERE done_at IS NOT NULL
            """)[0]["number"]
        #expect(done == 0, "the row is still there")
    }

    @Test("a survey that comes after its device's erasure and was made before is erased too")
    func late() async throws {
        var bench = try await RecordsBench()
        var survey = RecordsBench.survey(1, device: "anna")
        survey.scan.receivedAt = RecordsBench.start.advanced(byMicroseconds: 60_000_000)
        try await bench.apply([
            DeviceErased(
                id: EventID(high: 7, low: 1), site: RecordsBench.site, device: DeviceID("anna"),
                at: RecordsBench.start.advanced(byMicroseconds: 30_000_000)
            ).record(source: "/test"),
            survey.record(source: "/test"),
        ])
        let removal = SurveyRemoval(
            log: try await ServiceBench().log, pool: bench.pool, bell: OutboxBell())
        try await removal.removeWhatIsDue()
        #expect(try await bench.outbox() == 1)
        // The view is quick. The erasure waits for a map without the survey all the same.
        try await bench.apply([RecordsBench.key(1).tombstone])
        let isNoted: Bool = try await bench.pool.query(
            "SELECT had_surveys FROM fingerprint_builder.erasures")[0]["had_surveys"]
        #expect(isNoted)
    }

    @Test("an erasure is done when surveys of before are gone and the newest map lacks them")
    func erased() async throws {
        var bench = try await RecordsBench()
        let former = try await ServiceBench()
        var store = RadioMapStore(pool: bench.pool)
        store.positionsKept = .seconds(1_000_000_000)
        // The erasures' time is long ago when this test runs years later.
        let removal = SurveyRemoval(
            log: former.log, pool: bench.pool, bell: OutboxBell(),
            erasuresKept: .seconds(1_000_000_000))
        func done() async throws -> Int {
            try await removal.removeWhatIsDue()
            try await removal.finishErasures()
            return try await bench.pool.query(
                """
                SELECT count(*) AS number FROM fingerprint_builder.erasures
                WHERE done_at IS NOT NULL
                """)[0]["number"]
        }
        try await bench.apply([
            RecordsBench.survey(1, device: "anna").record(source: "/test"),
            RecordsBench.survey(2, device: "bert").record(source: "/test"),
            RecordsBench.survey(9, device: "anna").record(source: "/test"),
        ])
        try await bench.publish(1, surveys: 3, reviews: 0, in: store)
        func erasure(_ device: String, _ number: UInt64) -> LogRecord {
            DeviceErased(
                id: EventID(high: 7, low: number), site: RecordsBench.site,
                device: DeviceID(device),
                at: RecordsBench.start.advanced(byMicroseconds: 5_000_000)
            ).record(source: "/test")
        }
        try await bench.apply([erasure("anna", 1), erasure("nobody", 2)])
        #expect(try await done() == 1, "who has no surveys waits for nothing")
        try await bench.apply([RecordsBench.key(1).tombstone])
        #expect(try await done() == 1, "the map still has them")
        try await bench.publish(2, surveys: 2, reviews: 2, in: store)
        #expect(try await done() == 2)
        #expect(try await store.artifact("map 1") == nil)
        #expect(try await store.artifact("map 2") == [1])
        let left = try await bench.rows().filter { $0.hasPrefix("s") }
        #expect(left.count == 2 && left.contains { $0.contains("anna") }, "a later one stays")
        var forgetting = removal
        forgetting.erasuresKept = .zero
        try await forgetting.finishErasures()
        let noted: Int = try await bench.pool.query(
            "SELECT count(*) AS number FROM fingerprint_builder.erasures")[0]["number"]
        #expect(noted == 0)
    }
}
