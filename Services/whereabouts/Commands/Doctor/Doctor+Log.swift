import EventLog
import Events
import Locator
import LogViews
import Postgres
import PostgresLog
import ServiceHost
import ServiceRuntime
import Wire

extension Doctor {
    private static let muchLag: Int64 = 10_000
    /// The longest pause between two looks at an open transaction. They live for five seconds, and
    /// brokers end abandoned ones ten seconds later.
    private static let transactionPatience = Duration.seconds(16)
    /// Above this number the letters are not read one by one.
    private static let fewLetters: Int64 = 2_000

    /// Whether the log answers, its topics, its readers, its transactions and its dead letters.
    func log() async -> [Finding] {
        let differences: [TopicDifference]
        do {
            if let pool = host.database, try await isOfAnotherRelease(pool) {
                return [
                    Finding(
                        "log", .unknown, "its tables are those of another release",
                        advice: "`whereabouts upgrade --check` says what the services will do")
                ]
            }
            differences = try await host.topicDifferences()
        } catch {
            return [
                Finding(
                    "log", .wrong, "can't be used: \(Self.reason(error))",
                    advice: "Start it, or correct its settings")
            ]
        }
        let topics = topics(differences)
        guard !differences.contains(where: { $0.kind == .missing }) else {
            return topics + [
                Finding("lag", .unknown, "the log lacks topics: services make them at their start")
            ]
        }
        async let groups = self.groups()
        async let views = self.views()
        async let transactions = self.transactions()
        async let letters = self.letters()
        return await topics + groups + views + [transactions, letters]
    }

    /// Any other question to the log would bring its tables up to date, and that is for services.
    private func isOfAnotherRelease(_ pool: PostgresPool) async throws -> Bool {
        guard host.configuration.text(Host.logKind.name) == "postgres" else { return false }
        return try await !PostgresLog.migrator.missing(pool).isEmpty
    }

    private func topics(_ differences: [TopicDifference]) -> [Finding] {
        guard !differences.isEmpty else {
            return [Finding("topics", .ok, "all have the partitions and retention of the settings")]
        }
        return differences.map { difference in
            switch difference.kind {
            case .missing:
                Finding(
                    "topics", .warning, "\(difference)",
                    advice: "Start the services, or run `whereabouts topics`")
            case .partitions:
                Finding(
                    "topics", .wrong, "\(difference)",
                    advice: "Set WHEREABOUTS_PARTITIONS to the number that the topics have")
            case .hidden:
                Finding("retention", .unknown, "\(difference)")
            case .setting:
                Finding(
                    "retention", .warning, "\(difference)",
                    advice: "Run `whereabouts topics` with an account that may change topics")
            }
        }
    }

    private func groups() async -> [Finding] {
        var findings: [Finding] = []
        for (group, topic) in Command.groups.sorted(by: { $0.key < $1.key }) {
            // A smoother that is left out reads nothing, and nobody waits for it.
            if group == LocatorDefinition.smoothingGroup,
                !LocatorDefinition.smooths(host.configuration)
            {
                continue
            }
            do throws(EventLogError) {
                let stands = try await GroupStand.all(of: group, topic: topic.name, host.log)
                findings.append(Self.lag(group, stands, remedy: "`whereabouts skip \(group)`"))
            } catch {
                findings.append(Finding("lag", .unknown, "\(group): \(error)"))
            }
        }
        return findings
    }

    private func views() async -> [Finding] {
        guard let pool = host.database else {
            return [Finding("lag", .unknown, "views are in PostgreSQL: DATABASE_URL is not set")]
        }
        var findings: [Finding] = []
        for (name, make) in Command.views.sorted(by: { $0.key < $1.key }) {
            let view = make(host)
            do {
                let positions = try await pool.positions(of: view)
                var stands: [GroupStand] = []
                for topic in view.topics {
                    for (number, bounds) in try await host.log.bounds(of: topic).enumerated() {
                        let place = TopicPartition(topic, number)
                        stands.append(
                            GroupStand(
                                partition: place, committed: positions[place], bounds: bounds))
                    }
                }
                let remedy = "`whereabouts rebuild \(name)`"
                findings.append(Self.lag("view \(name)", stands, remedy: remedy))
            } catch {
                findings.append(
                    Finding("lag", .unknown, "view \(name): \(Self.reason(error))"))
            }
        }
        return findings
    }

    /// How far a group or a view is behind, and whether the log still has what it needs.
    static func lag(_ name: String, _ stands: [GroupStand], remedy: String) -> Finding {
        let stuck = stands.filter { $0.wayOut != nil }
        if let first = stuck.first {
            let lost = stuck.reduce(0) { $0 + $1.lost }
            let text =
                lost > 0
                ? "\(name) needs \(lost) records that retention has deleted"
                : "\(name) is ahead of the log at \(first.partition)"
            return Finding("lag", .wrong, text, advice: "Read about \(remedy) (--help) and run it")
        }
        let behind = stands.reduce(Int64(0)) { sum, stand in
            sum + max(0, stand.bounds.end - (stand.committed ?? stand.bounds.start))
        }
        guard behind > muchLag else {
            return Finding("lag", .ok, "\(name) is \(behind) records behind")
        }
        return Finding(
            "lag", .warning, "\(name) is \(behind) records behind",
            advice: "If the number shrinks, wait; if it grows, add members or machines")
    }

    /// An open transaction is usual under load. It hangs if its readers do not move on.
    private func transactions() async -> Finding {
        let name = "transactions"
        do throws(EventLogError) {
            var open = try await openTransactions()
            let end = ContinuousClock.now + Self.transactionPatience
            while !open.isEmpty, ContinuousClock.now < end {
                try? await Task.sleep(for: .seconds(2))
                let now = try await openTransactions()
                open = open.filter { now[$0.key] == $0.value }
            }
            guard let place = open.keys.sorted().first else {
                return Finding(name, .ok, "none hangs")
            }
            return Finding(
                name, .wrong, "a transaction on \(place) does not end, and blocks its readers",
                advice: "docs/decisions/0006 names the commands that end it")
        } catch {
            return Finding(name, .unknown, "\(error)")
        }
    }

    /// The offsets at which readers stand still before records of an open transaction.
    private func openTransactions() async throws(EventLogError) -> [TopicPartition: Int64] {
        var open: [TopicPartition: Int64] = [:]
        let topics: [Topic] = [
            .scans, .positions, .visits, .locatorState, .surveys, .sightingWindows,
        ]
        for topic in topics {
            let readable = try await host.log.readableEnds(of: topic.name)
            let ends = try await host.log.bounds(of: topic.name).map(\.end)
            for (number, (reached, end)) in zip(readable, ends).enumerated() where reached < end {
                open[TopicPartition(topic.name, number)] = reached
            }
        }
        return open
    }

    private func letters() async -> Finding {
        let name = "dead-letters"
        let advice = "`whereabouts dead-letters list` shows them and their reasons"
        do {
            let bounds = try await host.log.bounds(of: Topic.deadLetters.name)
            let records = bounds.reduce(Int64(0)) { $0 + $1.end - $1.start }
            guard records > 0 else { return Finding(name, .ok, "none") }
            guard records <= Self.fewLetters else {
                return Finding(name, .warning, "up to \(records)", advice: advice)
            }
            let count = try await LetterBox(host.log).entries.values.count { $0.putBackAt == nil }
            guard count > 0 else { return Finding(name, .ok, "all were put back") }
            return Finding(name, .warning, "\(count) of the last 30 days", advice: advice)
        } catch {
            return Finding(name, .unknown, Self.reason(error))
        }
    }
}
