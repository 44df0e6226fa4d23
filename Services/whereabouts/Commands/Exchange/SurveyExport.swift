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
        let lines = ScanLines(
            invocation: invocation, unit: Self.name, output: output, site: site)
        let count = try await lines.write(from: log, .surveyRecords, total: newest.count) {
            (record) throws(WireFault) in
            guard let key = record.key, newest[key] == record.offset, !erased.covers(record)
            else { return nil }
            let survey = try SurveyRecorded(record: record)
            return ScanSubmission(survey.scan, place: survey.place)
        }
        await log.close()
        if let site, count == 0 {
            throw CommandFault("the log has no survey of a site \(site): is its id right?")
        }
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
