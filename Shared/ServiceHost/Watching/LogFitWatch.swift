import Cryptography
import EventLog
import Events
public import LogViews
import Postgres
import Retrying
public import ServiceRuntime
import Wire

/// Compares the tables of an outbox with the log, and keeps changes away while they do not fit.
///
/// PostgreSQL may be put back to the day before while Kafka goes on, or the other way round. The
/// tables then take versions that the log has already, and nobody would notice.
struct LogFitWatch: Sendable {
    private static let interval = Duration.seconds(10)
    /// The pause until they are known to fit.
    private static let unsettledInterval = Duration.milliseconds(200)

    let host: Host
    let outbox: Outbox
    let guarding: OutboxGuard
    /// Whether this service gives the log its id. Only one may.
    let makesID: Bool
    private let health: HealthCheck
    private let gauge: Gauge

    init(_ host: Host, _ outbox: Outbox, _ guarding: OutboxGuard, makesID: Bool) {
        self.host = host
        self.outbox = outbox
        self.guarding = guarding
        self.makesID = makesID
        health = host.context.health.check(Host.fitCheck(of: outbox.schema))
        gauge = host.context.metrics.gauge(
            "whereabouts_not_reconciled",
            help: "1 while the outbox's tables and the log do not fit, else 0.",
            labels: ["outbox": outbox.schema])
    }

    func run() async {
        var tail = OutboxTail(outbox)
        var before: OutboxFit?
        var retry = Retry(
            of: "Comparing the tables of \(outbox.schema) with the log", notices: host.notices)
        while !Task.isCancelled {
            do {
                if try await compare(&tail) {
                    let fit = guarding.fit
                    if fit != before { report(fit, after: before) }
                    before = fit
                }
                retry.ended()
            } catch {
                retry.failed(error)
            }
            await pause()
        }
    }

    /// Ends early when the relay finds that the tables are no longer those that were compared.
    private func pause() async {
        let end = ContinuousClock.now + Self.interval
        repeat {
            let isSettled = guarding.fit == .fits
            try? await Task.sleep(for: isSettled ? .seconds(1) : Self.unsettledInterval)
        } while guarding.fit == .fits && .now < end && !Task.isCancelled
    }

    /// - Returns: false where it could not be said yet.
    private func compare(_ tail: inout OutboxTail) async throws -> Bool {
        guard host.tokens.isReady else { return false }
        if try await !tail.look(host.log) { guarding.forget() }
        let logID = host.tokens.logID
        let mark = try await outbox.mark(host.requiredDatabase(), number: tail.newest)
        let fit = OutboxFit(mark, logID: logID, newest: tail.newest)
        guard fit == .new, logID != nil || makesID else {
            guarding.set(fit, logID: logID, newest: tail.newest)
            return true
        }
        // The relay must know the id before the tables do, or they seem to be another log's.
        if let logID { guarding.set(fit, logID: logID, newest: tail.newest) }
        try await adopt(logID)
        return false
    }

    /// Lets the tables belong to the log, and gives it an id if it has none.
    private func adopt(_ known: String?) async throws {
        let (log, now, outbox) = (host.log, host.now, outbox)
        try await host.requiredDatabase().withTransaction { connection in
            // Two processes that start on a new log must not give it two ids.
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 9))",
                [.text(outbox.schema)])
            let mark = try connection.query("SELECT log_id FROM \(outbox.schema).outbox_mark")
            let already: String? = try mark.first?["log_id"]
            guard already == nil else { return }
            var id = known
            if id == nil {
                let event = LogIdentified(id: hexadecimal(randomBytes(16)), at: now)
                try await log.append([event.record(source: "/log")])
                id = event.id
            }
            if let id { try outbox.adopt(id, connection: connection) }
        }
    }

    private func report(_ fit: OutboxFit?, after before: OutboxFit?) {
        guard let fit else { return }
        gauge.set(fit.allowsChanges ? 0 : 1)
        guard let fault = fit.fault(of: outbox.schema) else {
            health.set(.ready)
            if before?.fault(of: outbox.schema) != nil {
                host.context.log.info("The tables of \(outbox.schema) and the log fit again.")
            }
            return
        }
        health.set(.failing(reason: fault))
        host.context.log.error(fault)
    }
}

extension OutboxFit {
    /// The fault in words, with the remedy; nil where there is none.
    public func fault(of schema: String) -> String? {
        let remedy = """
            Nothing is changed until it is mended: run `whereabouts reconcile --check` \
            (docs/operation/restore.md, PostgreSQL alone was restored)
            """
        switch self {
        case .fits, .new: return nil
        case .behind(let log, let tables):
            return """
                the tables of \(schema) are older than the log: they know its events up to number \
                \(tables), and it has number \(log). \(remedy)
                """
        case .anotherLog:
            return "the tables of \(schema) belong to another log than this one. \(remedy)"
        }
    }
}

extension Host {
    /// The check of `/readyz` that fails while the outbox of the schema and the log don't fit.
    public static func fitCheck(of schema: String) -> String { "reconciled-\(schema)" }

    /// Compares an outbox with the log until the process ends.
    ///
    /// - Parameter makesID: whether this service gives the log its id.
    public func fitWatch(
        _ outbox: Outbox, _ guarding: OutboxGuard, makesID: Bool = false
    ) -> any Component {
        let watch = LogFitWatch(self, outbox, guarding, makesID: makesID)
        return loop("fit of \(outbox.schema)") { await watch.run() }
    }
}
