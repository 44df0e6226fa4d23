import Backups
import EventLog
import JSON
import LogViews
import Postgres
import PostgresLog
import ServiceHost
import ServiceRuntime
import SiteEditor
import Wire

/// The work that the first start of this program would do on an installation.
struct UpgradePlan: Sendable {
    /// The tables of one schema that are brought up to date.
    struct Schema: Hashable, Sendable {
        var name: String
        var steps: [String]
        /// Rows in its tables, as PostgreSQL estimates them.
        var rows: Int64
        /// Whether there is nothing of it yet.
        var isNew: Bool
    }

    var schemas: [Schema] = []
    var topics: [TopicDifference] = []
    var events: [(topic: String, count: Int64)] = []
    /// Whether there is no installation yet.
    var isFirst = false
    /// Surveys of former releases, which are copied to a topic that has a key for each.
    var surveysToCopy: Int64 = 0

    /// Events that the outbox hands to the log in a second, and rows that a step passes; both are
    /// well below the measured figures.
    private static let eventsPerSecond: Int64 = 500
    private static let rowsPerSecond: Int64 = 100_000

    /// Reads the plan. Changes nothing.
    ///
    /// - Throws: where a schema is newer than this program.
    init(_ host: Host) async throws {
        let pool = host.requiredDatabase()
        var migrators = Self.tables(onLog: host.configuration.text(Host.logKind.name))
        migrators += Command.views.sorted { $0.key < $1.key }.map { name, make in
            let view = make(host)
            return view.migrator(schema: view.schema)
        }
        for migrator in migrators {
            let steps = try await migrator.missing(pool)
            guard !steps.isEmpty else { continue }
            schemas.append(
                Schema(
                    name: migrator.schema, steps: steps,
                    rows: try await Self.rows(of: migrator.schema, pool),
                    isNew: steps.count == migrator.steps.count))
        }
        isFirst = schemas.count == migrators.count && schemas.allSatisfy(\.isNew)
        topics = try await host.topicDifferences()
        events = try await SiteEditorDefinition.eventsToRewrite(pool).filter { $0.count > 0 }
        surveysToCopy = try await Self.surveysToCopy(host, pool, topics)
    }

    init() {}

    /// The steps of all tables that are no views: those of the log, and those that a backup holds.
    static func tables(onLog kind: String) -> [Migrator] {
        (kind == "postgres" ? [PostgresLog.migrator] : []) + BackupWork.stores.map(\.migrator)
    }

    /// Changes of events that programs of before can't read, by the step of a schema that came
    /// with them. A change that needs no step of its own gets an empty one, so that it can be
    /// named here.
    static let eventChanges = [
        (
            schema: "site_editor", step: "names",
            change: "tokens and outages are written without names and notes"
        ),
        (
            schema: "site_editor", step: "site-documents",
            change: "sites are written in pieces"
        ),
    ]

    /// The records of the former topic, where there is none of the new one yet.
    private static func surveysToCopy(
        _ host: Host, _ pool: PostgresPool, _ topics: [TopicDifference]
    ) async throws -> Int64 {
        let missing = Set(topics.filter { $0.kind == .missing }.map(\.topic))
        guard missing.contains(Topic.surveyRecords.name), !missing.contains(Topic.surveys.name)
        else { return 0 }
        guard host.configuration.text(Host.logKind.name) == "postgres" else {
            return try await host.log.bounds(of: Topic.surveys.name)
                .reduce(0) { $0 + $1.end - $1.start }
        }
        // A question to the log itself would bring its tables up to date.
        return try await pool.query(
            """
            SELECT coalesce(sum(p.next_offset - p.start_offset), 0)::bigint AS records
            FROM log.partitions p JOIN log.topics t ON t.id = p.topic WHERE t.name = $1
            """, [.text(Topic.surveys.name)])[0]["records"]
    }

    private static func rows(of schema: String, _ pool: PostgresPool) async throws -> Int64 {
        try await pool.query(
            """
            SELECT coalesce(sum(greatest(c.reltuples, s.n_live_tup, 0)), 0)::bigint AS rows
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
            WHERE n.nspname = $1 AND c.relkind = 'r'
            """, [.text(schema)])[0]["rows"]
    }

    /// Schemas that exist and change. New ones hold nothing yet.
    private var changed: [Schema] { schemas.filter { !$0.isNew } }

    var isEmpty: Bool { schemas.isEmpty && topics.isEmpty && events.isEmpty }

    /// Why the former release can't be started again. It refuses tables with steps that it does not
    /// know, and would not see what is written to new topics or in a new form.
    var obstaclesToGoingBack: [String] {
        guard !isFirst else { return [] }
        var found: [String] = []
        if !changed.isEmpty {
            found.append("the tables of \(changed.map(\.name).joined(separator: ", "))")
        }
        let new = topics.filter { $0.kind == .missing }.map(\.topic)
        if !new.isEmpty { found.append("what is written to \(new.joined(separator: ", "))") }
        if !events.isEmpty {
            found.append("the events of \(events.map(\.topic).joined(separator: ", "))")
        }
        let steps = changed.flatMap { schema in schema.steps.map { (schema.name, $0) } }
        found += Self.eventChanges.filter { change in
            steps.contains { $0 == (change.schema, change.step) }
        }.map(\.change)
        return found
    }

    var canGoBack: Bool { obstaclesToGoingBack.isEmpty }

    /// An upper estimate of the time for which the services are not ready.
    var seconds: Int64 {
        let rows = changed.reduce(0) { $0 + $1.rows }
        let rewritten = events.reduce(surveysToCopy) { $0 + $1.count }
        return (isEmpty ? 0 : 1) + rows / Self.rowsPerSecond + rewritten / Self.eventsPerSecond
    }

    /// Topics that can't be changed, so the services would not start.
    var obstacles: [TopicDifference] {
        topics.filter { if case .partitions = $0.kind { true } else { false } }
    }

    /// The plan in sentences.
    var lines: [String] {
        guard !isEmpty else {
            return ["Nothing changes: tables and topics are up to date.", goingBack]
        }
        var lines = schemas.map { schema in
            let steps = schema.steps.joined(separator: ", ")
            return schema.isNew
                ? "tables: \(schema.name) will be made"
                : "tables: \(schema.name), about \(schema.rows) rows: \(steps)"
        }
        lines += topics.map { difference in
            switch difference.kind {
            case .missing: "topics: \(difference.topic) will be made"
            case .partitions: "topics: \(difference), so the services will not start"
            case .setting(let name, let present, let wanted):
                "topics: \(name) of \(difference.topic) changes from \(present) to \(wanted)"
            case .hidden: "topics: \(difference)"
            }
        }
        lines += events.map { "events: \($0.count) of \($0.topic) are written again without names" }
        if surveysToCopy > 0 {
            lines.append(
                "events: up to \(surveysToCopy) of \(Topic.surveys.name) are copied to "
                    + Topic.surveyRecords.name)
        }
        lines.append("time: about \(seconds) s until all services are ready, at most")
        lines.append(goingBack)
        return lines
    }

    private var goingBack: String {
        canGoBack
            ? "back: the former release can be started again on these tables"
            : "back: the former release can't read the new state ("
                + obstaclesToGoingBack.joined(separator: "; ") + "). Make a backup first"
    }

    var json: String {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.name("tables")
        writer.beginArray()
        for schema in schemas {
            writer.beginObject()
            writer.field("schema", schema.name)
            writer.field("isNew", schema.isNew)
            writer.field("rows", schema.rows)
            writer.name("steps")
            writer.beginArray()
            for step in schema.steps { writer.string(step) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.name("topics")
        writer.beginArray()
        for topic in topics { writer.string("\(topic)") }
        writer.endArray()
        writer.name("events")
        writer.beginObject()
        for (topic, count) in events {
            writer.name(topic)
            writer.integer(count)
        }
        if surveysToCopy > 0 {
            writer.name(Topic.surveys.name)
            writer.integer(surveysToCopy)
        }
        writer.endObject()
        writer.field("seconds", seconds)
        writer.field("canGoBack", canGoBack)
        writer.endObject()
        return writer.finishText()
    }
}
