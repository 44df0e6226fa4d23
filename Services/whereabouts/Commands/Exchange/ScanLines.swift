import Archive
import EventLog
import Events
import ServiceHost
import Wire

/// A file of scans or surveys from the log, one a line as their devices sent them.
struct ScanLines {
    let invocation: Invocation
    /// The word for the lines, in messages and in the summary.
    let unit: String
    let output: String
    /// The only site whose records are written; nil for all.
    let site: SiteID?

    /// Writes the file, and the summary to the standard output.
    ///
    /// - Parameter read: the line of a record; nil for one that is left out.
    /// - Returns: the number of lines.
    @discardableResult
    func write(
        from log: any EventLog, _ topic: Topic, since: Int64? = nil, total: Int? = nil,
        _ read: (StoredRecord) throws(WireFault) -> ScanSubmission?
    ) async throws -> Int {
        let file = try GzipWriter(path: output)
        let progress = ProgressReporter("exporting", unit: unit, total: total)
        var (count, unreadable) = (0, 0)
        try await log.forEachRecord(of: topic.name, since: since) { record in
            let scan: ScanSubmission?
            do throws(WireFault) { scan = try read(record) } catch {
                unreadable += 1
                return
            }
            guard let scan, site == nil || scan.site == site else { return }
            try file.writeLine(scan.json)
            count += 1
            progress.advance()
        }
        try file.close()
        progress.finish()
        if unreadable > 0 { invocation.note("\(unreadable) records can't be read as \(unit)") }
        invocation.output(#"{"\#(unit)":\#(count),"unreadable":\#(unreadable)}"#)
        return count
    }
}

extension EventLog {
    /// Reads a topic's records up to its end when the reading began.
    ///
    /// - Parameter since: the least time of appending, in microseconds; nil for all.
    func forEachRecord(
        of topic: String, since: Int64? = nil, _ body: (StoredRecord) throws -> Void
    ) async throws {
        let starts = try await offsets(of: topic, atMicroseconds: since ?? 0)
        let ends = try await readableEnds(of: topic)
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (partition, (start, end)) in zip(starts, ends).enumerated() where start < end {
            ranges[TopicPartition(topic, partition)] = start..<end
        }
        try await readRange(ranges) { records in
            for record in records { try body(record) }
        }
    }
}
