import Events
import LogViews
import Postgres
import ServiceHost

/// Brings reports and ends of outages from the log, with the ids of accounts in place of names.
struct OutagesFromLog {
    let state: LoggedState

    func run(_ report: inout ReconcileReport, _ connection: isolated PostgresConnection) throws {
        let sites: Set<String> = Set(
            try connection.query("SELECT id FROM site_editor.sites").map { try $0["id"] })
        for (id, logged) in state.outages.sorted(by: { $0.key < $1.key })
        where sites.contains(logged.reported.site.text) {
            let known = try OutageStore.row(id, locking: true, connection: connection)
            if known == nil { try OutageStore.insert(logged.reported, connection: connection) }
            let ended = known?.ended == nil ? logged.ended : nil
            if let ended { try OutageStore.note(ended, connection: connection) }
            if known == nil || ended != nil { report.count("outages", 1) }
        }
    }
}
