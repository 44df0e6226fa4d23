import EventLog
import Events
import LogViews
import Postgres
import SeededRandomness
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Positions as rows", .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")")
)
struct StoredPositionsTests {
    private static let site = SiteID("museum")

    private struct Tables {
        let pool: PostgresPool
        let view = PositionsView(daysKept: 365)
        let stored: StoredPositions

        init(former: Bool = false) async throws {
            pool = try await ServiceBench.database()
            stored = StoredPositions(pool)
            if former {
                try await pool.migrate(FormerView(view: view), schema: view.schema)
            } else {
                try await pool.migrate(view, schema: view.schema)
            }
        }

        func apply(_ positions: [PositionEstimated]) async throws {
            let faults = try await pool.withTransaction { connection in
                try await view.apply(
                    positions.map(stored), schema: view.schema, connection: connection)
            }
            view.ended(schema: view.schema, committed: true)
            #expect(faults.isEmpty)
        }

        func stored(_ position: PositionEstimated) -> StoredRecord {
            let record = position.record(topic: "p", source: "/test")
            return StoredRecord(
                topic: record.topic, partition: 0, offset: 0,
                appendedAtMicroseconds: position.locatedAt.microseconds, key: record.key,
                value: record.value, headers: record.headers)
        }

        /// All positions of the site, read in pages.
        func all(page: Int) async throws -> [PositionEstimated] {
            var all: [PositionEstimated] = []
            var after: PageCursor?
            while true {
                let last = after
                let rows = try await stored.read(
                    PositionSelection(order: .time, limit: page, bin: PositionTables.siteBin) {
                        form, values in
                        var conditions = [
                            form.isOf(site: StoredPositionsTests.site.text, &values)
                        ]
                        if let last {
                            let bin = PositionTables.siteBin
                            conditions.append(form.compares(">=", last.at, bin: bin, &values))
                            let id = PositionForm.add(.uuid(last.id.bytes), &values)
                            conditions.append("(at, id) > ($\(values.count - 1), \(id))")
                        }
                        return conditions
                    })
                all += rows
                guard rows.count == page, let end = rows.last else { return all }
                after = PageCursor(at: end.at, id: end.id)
            }
        }

        func texts(_ sql: String) async throws -> [String] {
            try await pool.query(sql).map { try $0[0] }
        }
    }

    /// The view as it was before rows were narrow.
    private struct FormerView: View {
        let view: PositionsView
        var name: String { view.name }
        var schema: String { view.schema }
        var topics: [String] { view.topics }

        func migrations(schema: String) -> [Migrator.Step] {
            Array(view.migrations(schema: schema).prefix { $0.name != "narrow" })
        }

        func apply(
            _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
        ) async throws -> [SetAside] { [] }
    }

    /// Positions of a day and a half, every tenth of them with a number that no narrow row holds.
    private static func positions(_ count: Int, seed: Int) -> [PositionEstimated] {
        var random = SeededRandom(seed: seed)
        let start = ServiceBench.start
        return (0..<count).map { number in
            let at = start.advanced(
                byMicroseconds: .random(in: 0..<129_600_000_000, using: &random))
            var position = PositionEstimated(
                id: EventID(high: random.next(), low: random.next()),
                scan: EventID(high: random.next(), low: random.next()), at: at,
                locatedAt: at.advanced(byMicroseconds: .random(in: 0..<90_000_000, using: &random)),
                device: DeviceID("d\(Int.random(in: 0..<9, using: &random))"), site: site,
                siteVersion: .random(in: 1...3, using: &random), state: .lost,
                late: .random(using: &random),
                positioner: ["knn", "exec:a/b", ""].randomElement(using: &random) ?? "",
                radioMapVersion: [nil, 1, 2].randomElement(using: &random) ?? nil)
            position.choiceVersion = [nil, 7].randomElement(using: &random) ?? nil
            position.motion = MotionPeriod.allCases.randomElement(using: &random)
            guard number % 5 > 0 else {
                position.lostBecause = PositionEstimated.LostReason.allCases.randomElement(
                    using: &random)
                return position
            }
            position.state = .located
            if Bool.random(using: &random) {
                position.building = BuildingID("b")
                position.floor = FloorID("f\(Int.random(in: 0...2, using: &random))")
                position.room = RoomID("r\(Int.random(in: 0...4, using: &random))")
            }
            position.rooms = (0..<Int.random(in: 0...6, using: &random)).map {
                .init(id: RoomID("r\($0)"), probability: .random(in: 0...1, using: &random))
            }
            func drawn(_ range: ClosedRange<Int>, _ units: Double) -> Double {
                Double(Int.random(in: range, using: &random)) / units
            }
            position.x = drawn(-90_000...90_000, 1e3)
            position.y = drawn(-90_000...90_000, 1e3)
            position.latitude = drawn(-90_000_000_000...90_000_000_000, 1e9)
            position.longitude = drawn(-180_000_000_000...180_000_000_000, 1e9)
            position.covariance = (0..<3).map { _ in drawn(-40_000_000...40_000_000, 1e6) }
            position.radius68 = drawn(0...9_000, 1e3)
            position.radius95 = drawn(0...9_000, 1e3)
            if number.isMultiple(of: 10) { position.radius95 = nil }
            switch number % 30 {
            case 1: position.covariance = [5_000, 0, 5_000]
            case 11: position.x = 0.123_456
            case 21: position.y = 4e6
            default: break
            }
            return position
        }
    }

    private static func inOrder(_ positions: [PositionEstimated]) -> [PositionEstimated] {
        positions.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    /// The position as the log has it: numbers have as many decimals as the log writes.
    private static func logged(_ position: PositionEstimated) throws -> PositionEstimated {
        try PositionEstimated(record: Self.record(position))
    }

    private static func record(_ position: PositionEstimated) -> StoredRecord {
        let record = position.record(topic: "p", source: "/test")
        return StoredRecord(
            topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 0,
            key: record.key, value: record.value, headers: record.headers)
    }

    @Test("come out as they went in, whatever the page", arguments: 0..<3)
    func same(seed: Int) async throws {
        let tables = try await Tables()
        let positions = Self.positions(400, seed: seed)
        for first in stride(from: 0, to: positions.count, by: 90) {
            try await tables.apply(Array(positions[first..<min(first + 90, positions.count)]))
        }
        let expected = try Self.inOrder(positions).map(Self.logged)
        #expect(try await tables.all(page: 1_000) == expected)
        #expect(try await tables.all(page: 37) == expected)
        // Some take the wide form, and most the narrow one.
        let wide = try await tables.texts("SELECT count(*)::text FROM locator.wide_positions")
        #expect(wide == [String(expected.count { NarrowPosition($0) == nil })])
        // SQL sees the same values.
        let rows = try await tables.pool.query(
            "SELECT \(PositionRow.selection) FROM locator.positions ORDER BY at, id")
        #expect(try rows.map { try PositionRow.position($0) } == expected)
    }

    @Test("have their rooms unpacked only where a limit leaves them")
    func unpacked() async throws {
        let tables = try await Tables()
        try await tables.apply(Self.positions(400, seed: 5))
        let plan = try await tables.texts(
            """
            EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off)
            SELECT * FROM locator.positions WHERE device = 'd3' ORDER BY at DESC LIMIT 2
            """)
        let unpacking = plan.drop { !$0.contains("SubPlan") }.dropFirst().first ?? ""
        // The wide form has no packed rooms.
        #expect(
            unpacking.wholeMatch(of: /.*Aggregate.*(loops=[12]|never executed)\)/) != nil, "\(plan)"
        )
    }

    @Test("are counted by room and hour as a loop over them counts", arguments: 0..<3)
    func counts(seed: Int) async throws {
        let tables = try await Tables()
        let positions = Self.positions(500, seed: seed)
        for first in stride(from: 0, to: positions.count, by: 60) {
            try await tables.apply(Array(positions[first..<min(first + 60, positions.count)]))
        }
        var counts: [String: (positions: Int, devices: Set<DeviceID>)] = [:]
        for position in positions {
            let hour = position.at.microseconds / 3_600_000_000
            let key = "\(position.room?.text ?? "") \(hour)"
            counts[key, default: (0, [])].positions += 1
            counts[key, default: (0, [])].devices.insert(position.device)
        }
        let expected = counts.map { "\($0.key) \($0.value.positions) \($0.value.devices.count)" }
        let found = try await tables.texts(
            """
            SELECT concat_ws(' ', coalesce(room, ''), (extract(epoch FROM hour) / 3600)::int,
                positions, devices) FROM locator.room_hours WHERE site = 'museum'
            """)
        #expect(found.sorted() == expected.sorted())
    }

    @Test("of a transaction that failed leave no number behind that nobody has")
    func rolledBack() async throws {
        let tables = try await Tables()
        let positions = Self.positions(20, seed: 1)
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await tables.pool.withTransaction { connection in
                _ = try await tables.view.apply(
                    positions.map(Self.record), schema: "locator", connection: connection)
                throw Failure()
            }
        }
        try await tables.apply(positions)
        #expect(try await tables.all(page: 100).count == positions.count)
        let nameless = try await tables.texts(
            "SELECT count(*)::text FROM locator.positions WHERE device IS NULL OR site IS NULL")
        #expect(nameless == ["0"])
    }

    @Test("of an erased device are gone with its name, and later ones come back under a new number")
    func erased() async throws {
        let tables = try await Tables()
        let positions = Self.positions(300, seed: 2)
        try await tables.apply(positions)
        let device = DeviceID("d3")
        let count = try await tables.pool.withTransaction { connection in
            try tables.view.erase(device, of: Self.site, schema: "locator", connection: connection)
        }
        #expect(count == positions.count { $0.device == device } && count > 0)
        let others = positions.filter { $0.device != device }
        #expect(
            try await tables.all(page: 1_000) == Self.inOrder(others).map(Self.logged))
        #expect(
            try await tables.texts(
                "SELECT name FROM locator.position_devices WHERE name = 'museum/d3'") == [])
        let sums = "SELECT concat(sum(positions), ' ', sum(devices)) FROM locator.room_hours"
        let left = try await tables.texts(sums)
        let fresh = try await Tables()
        try await fresh.apply(others)
        #expect(try await fresh.texts(sums) == left)
        var again = try #require(positions.first { $0.device == device })
        again.id = EventID(high: 1, low: 1)
        try await tables.apply([again])
        #expect(
            try await tables.texts(
                "SELECT device FROM locator.positions WHERE id = '\(again.id)'") == ["d3"])
    }

    @Test("from before the narrow form stay readable, and people can still change the view")
    func former() async throws {
        let tables = try await Tables(former: true)
        let tenYears: Int64 = 315_576_000_000_000
        let old = try Self.positions(40, seed: 3).map { position in
            var position = try Self.logged(position)
            position.at = position.at.advanced(byMicroseconds: -tenYears)
            position.locatedAt = position.locatedAt.advanced(byMicroseconds: -tenYears)
            return position
        }
        try await tables.pool.query(
            """
            CREATE TABLE locator.positions_2000_01_01 PARTITION OF locator.positions
            FOR VALUES FROM ('2000-01-01') TO ('2020-01-01')
            """)
        try await tables.pool.withTransaction { connection in
            _ = try connection.copyIn(
                "COPY locator.positions (\(PositionRow.columns)) FROM STDIN"
            ) { buffer in
                for position in old { try PositionRow.append(position, to: &buffer) }
                return false
            }
        }
        try await tables.pool.migrate(tables.view, schema: "locator")
        #expect(try await tables.all(page: 7) == Self.inOrder(old))
        let new = Self.positions(40, seed: 4).filter { NarrowPosition($0) != nil }
        try await tables.apply(new)
        let all = try Self.inOrder(old + new.map(Self.logged))
        #expect(try await tables.all(page: 7) == all)
        let id = try #require(new.first?.id)
        try await tables.pool.query(
            "UPDATE locator.positions SET radio_map_version = 77 WHERE id = '\(id)'")
        #expect(try await tables.all(page: 100).first { $0.id == id }?.radioMapVersion == 77)
        try await tables.pool.query("DELETE FROM locator.positions WHERE id = '\(id)'")
        #expect(try await tables.all(page: 100) == all.filter { $0.id != id })
    }
}
