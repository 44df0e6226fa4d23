import EventLog
public import Events
public import ServiceRuntime
import Wire

extension Host {
    /// Reads the requests for scans from the log until the process ends.
    ///
    /// - Parameter onChange: gets each request that changed, after the directory has it.
    public func scanRequestTable(
        _ directory: ScanRequestDirectory,
        onChange: @escaping @Sendable (ScanRequestKey) -> Void = { _ in }
    ) -> any Component {
        let health = context.health.check("scan-requests")
        // The directory is changed in place: a copy for each batch would take as long as the day
        // has requests.
        let table = LogTable<Bool>(
            log: log, topic: Topic.scanRequests.name, initial: true,
            apply: { [self] _, record in
                guard let changed = directory.apply(record, at: now) else {
                    unexpected("A record of \(record.topicPartition) is no request for a scan.")
                    return
                }
                onChange(changed)
            },
            onChange: { _ in
                guard !directory.isReady else { return }
                directory.markReady()
                health.set(.ready)
            }, notices: notices)
        return loop("scan-requests") { await table.run() }
    }
}
