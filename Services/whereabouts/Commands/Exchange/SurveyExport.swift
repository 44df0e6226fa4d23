import Archive
import EventLog
import Events
import ServiceHost
import ServiceRuntime
import Wire

/// One run of `export surveys`: the surveys that the radio maps are made from, as their devices
/// sent them.
struct SurveyExport {
    static let name = "surveys"

    private let invocation: Invocation
    private let site: SiteID?
    private let output: String

    init(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(invocation.arguments, options: ["--site", "--output"])
        guard reader.positional == [Self.name] else {
            throw UsageFault("export surveys takes --site ID and --output FILE only")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        self.invocation = invocation
        self.output = output
        site = try reader.site("--site")
    }

    func run() async throws {
        let log = try Host.openLog(
            environment: ServiceProgram.processEnvironment, settings: ServiceProgram.serviceSettings
        )
        let erased = try await Host.erasedDevices(in: log)
        let newest = try await Self.newest(in: log)
        let file = try GzipWriter(path: output)
        let progress = ProgressReporter("exporting", unit: "surveys", total: newest.count)
        var (count, unreadable) = (0, 0)
        try await log.forEachRecord(of: Topic.surveyRecords.name) { record in
            guard let key = record.key, newest[key] == record.offset, !erased.covers(record)
            else { return }
            guard let survey = try? SurveyRecorded(record: record) else {
                unreadable += 1
                return
            }
            if let site, survey.scan.site != site { return }
            var submission = ScanSubmission(survey.scan)
            submission.place = survey.place
            try file.writeLine(submission.json)
            count += 1
            progress.advance()
        }
        try file.close()
        progress.finish()
        await log.close()
        if unreadable > 0 { invocation.note("\(unreadable) records can't be read as surveys") }
        invocation.output(#"{"surveys":\#(count),"unreadable":\#(unreadable)}"#)
    }

    /// The offset of each survey's newest record. Those that a tombstone removed are left out: the
    /// log may have their records until it compacts.
    private static func newest(in log: any EventLog) async throws -> [[UInt8]: Int64] {
        var newest: [[UInt8]: Int64] = [:]
        try await log.forEachRecord(of: Topic.surveyRecords.name) { record in
            guard let key = record.key else { return }
            newest[key] = record.value == nil ? nil : record.offset
        }
        return newest
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
