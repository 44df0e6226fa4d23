import EventLog
import FingerprintBuilder
import JSON
import ServiceHost
import ServiceRuntime
import SiteEditor
import TimetableFetcher

extension Command {
    /// Makes PostgreSQL and the log fit again, after one of them was put back alone.
    public static let reconcile = Command(
        name: "reconcile", summary: "make PostgreSQL and the log fit after one was put back alone",
        help: """
            whereabouts reconcile [--check] [--republish] [--leave-unread]

              --check         say what would be done, and change nothing
              --republish     the log is lost, and there is no backup: put all that the tables have
                              on this new log. What this log has of another installation goes
              --leave-unread  go on although this release can't read some of the log's records.
                              No later reconcile reads them either

            Without --republish, the tables are brought up to the log: sites, tokens, outages,
            erasures, accounts, magnetic routes and bookings. Radio maps are built anew, and feeds
            fetched anew. It says what is lost.
            The services may run meanwhile, and take commands again within 20 seconds. It can be
            interrupted and run again. Uses the same settings as the services; DATABASE_URL is that
            of the database's owner. See docs/operation/restore.md.
            """,
        run: { try await reconcile($0) })

    private static func reconcile(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: [],
            flags: ["--check", "--republish", "--leave-unread"])
        guard reader.positional.isEmpty else { throw UsageFault("reconcile takes no arguments") }
        let order = ReconcileOrder(
            republishes: reader.has("--republish"), isCheck: reader.has("--check"),
            leavesUnread: reader.has("--leave-unread"))
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts reconcile",
            settings: ServiceProgram.serviceSettings)
        let report: ReconcileReport
        do {
            report = try await reconciled(host, order, note: invocation.note)
        } catch {
            await host.log.close()
            throw error
        }
        await host.log.close()
        for sentence in report.lost { invocation.note("lost: \(sentence)") }
        if report.changes.isEmpty {
            invocation.note("PostgreSQL and the log fit; nothing is to be done.")
        } else if !order.isCheck {
            invocation.note(
                "Drafts, names, people and files that were added since the older state are lost. "
                    + "Everybody signs in again. The services take commands within 20 seconds.")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field(order.isCheck ? "wouldReconcile" : "reconciled", !report.changes.isEmpty)
        for change in report.changes {
            writer.name(change.name)
            writer.integer(change.count)
        }
        writer.endObject()
        invocation.output(writer.finishText())
    }

    private static func reconciled(
        _ host: Host, _ order: ReconcileOrder, note: @escaping @Sendable (String) -> Void
    ) async throws -> ReconcileReport {
        var report = ReconcileReport()
        // Sites come first: others name them.
        if let sites = try await SiteEditorDefinition.reconcile(host, order, note: note) {
            report.add(sites)
        }
        if let maps = try await FingerprintBuilderDefinition.reconcile(host, order) {
            report.add(maps)
        }
        if let timetables = try await TimetableFetcherDefinition.reconcile(host, order) {
            report.add(timetables)
        }
        return report
    }
}
