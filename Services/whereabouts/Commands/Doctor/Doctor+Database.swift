import Postgres
import ServiceHost
import ServiceRuntime

extension Doctor {
    private static let oldTransactionSeconds = 3_600.0
    private static let databaseClockTolerance = 5.0

    /// Whether PostgreSQL answers, its clock, its transactions and its disk.
    func database() async -> [Finding] {
        guard let pool = host.database else {
            return [
                Finding("postgresql", .unknown, "DATABASE_URL is not set here")
            ]
        }
        do {
            let time = host.context.time
            let figures = try await DatabaseFigures.read(pool, now: { time.nowMicroseconds })
            var findings = [
                Finding(
                    "postgresql", .ok,
                    "answers; the database has \(Self.megabytes(figures.bytes))"),
                clock(figures), Self.transactions(figures),
            ]
            if let ahead = Self.logAhead(figures) { findings.append(ahead) }
            if let disk = try await dataDisk(pool) { findings.append(disk) }
            return findings
        } catch {
            return [
                Finding(
                    "postgresql", .wrong, "can't be used: \(Self.reason(error))",
                    advice: "Start it, or correct DATABASE_URL")
            ]
        }
    }

    private func clock(_ figures: DatabaseFigures) -> Finding {
        guard abs(figures.clockSkewSeconds) > Self.databaseClockTolerance else {
            return Finding("clock", .ok, "PostgreSQL and this machine agree")
        }
        return Finding(
            "clock", .warning,
            "PostgreSQL is \(Self.span(figures.clockSkewSeconds)) ahead of this machine",
            advice: "Let both machines keep their time by NTP")
    }

    /// The limit is that of the rule `log-ahead`.
    static func logAhead(_ figures: DatabaseFigures) -> Finding? {
        let rule = AlarmRule.all.first { $0.metric == "whereabouts_log_ahead_seconds" }
        guard let rule, rule.holds(figures.logAheadSeconds) else { return nil }
        return Finding(
            rule.name, .warning,
            "the log's newest time lies \(span(figures.logAheadSeconds)) ahead, so new records "
                + "outlive their retention",
            advice: String(rule.advice.dropLast()))
    }

    static func transactions(_ figures: DatabaseFigures) -> Finding {
        let name = "database-transaction"
        if figures.preparedTransactions > 0 {
            return Finding(
                name, .warning, "\(figures.preparedTransactions) prepared transactions are open",
                advice: "None is ours: see pg_prepared_xacts, and end them by ROLLBACK PREPARED")
        }
        let age = span(figures.oldestTransactionSeconds)
        guard figures.oldestTransactionSeconds > oldTransactionSeconds else {
            guard figures.hiddenSessions == 0 else {
                return Finding(
                    name, .unknown,
                    "the oldest transaction of our roles is \(age) old; those of "
                        + "\(figures.hiddenSessions) other sessions can't be seen",
                    advice: "A superuser sees them in pg_stat_activity, by xact_start")
            }
            return Finding(name, .ok, "the oldest transaction is \(age) old")
        }
        return Finding(
            name, .warning, "a transaction is \(age) old, so old rows can't go",
            advice: "Find it in pg_stat_activity by xact_start; end it by pg_terminate_backend")
    }

    /// The disk of PostgreSQL's files, where the role may know their folder and it is here.
    private func dataDisk(_ pool: PostgresPool) async throws -> Finding? {
        let row = try await pool.read(
            """
            SELECT coalesce(
                (SELECT setting FROM pg_settings WHERE name = 'data_directory'), '') AS folder
            """)[0]
        let folder: String = try row["folder"]
        guard folder.hasPrefix("/"), let space = DiskSpace(path: folder) else { return nil }
        return Self.disk(folder, space)
    }

    /// The limits are those of the rules `disk-low` and `disk-full`.
    static func disk(_ path: String, _ space: DiskSpace) -> Finding {
        let percent = Int((space.freeRatio * 100).rounded())
        let text = "\(path): \(percent) % of \(megabytes(space.sizeBytes)) is free"
        let broken = AlarmRule.all.filter {
            $0.metric == "whereabouts_disk_free_ratio" && $0.holds(space.freeRatio)
        }
        guard let worst = broken.first(where: { $0.severity == .wrong }) ?? broken.first else {
            return Finding("disk", .ok, text)
        }
        return Finding(
            "disk", worst.severity == .wrong ? .wrong : .warning, text,
            advice: String(worst.advice.dropLast()))
    }

    static func megabytes(_ bytes: Double) -> String {
        bytes < 1e10 ? "\(Int(bytes / 1e6)) MB" : "\(Int(bytes / 1e9)) GB"
    }
}
