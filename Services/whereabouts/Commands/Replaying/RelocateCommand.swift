import Archive
import Devices
import EventLog
import Events
import JSON
import Positioners
import Positioning
import ServiceHost
import ServiceRuntime
import Site
import Threads
import Wire

extension Command {
    /// Locates stored scans again with another positioner.
    public static let relocate = Command(
        name: "relocate", summary: "locate stored scans again with another positioner",
        help: """
            whereabouts relocate --since TIME --positioner NAME [--compare] [--site ID]
                                 [--answer-seconds N] [--out FILE] [--visits FILE]

              --since           scans that were appended at or after this time, such as
                                2026-11-21T08:00:00Z
              --positioner      in the form of WHEREABOUTS_POSITIONER: knn, knn:k=3,
                                mine=exec:COMMAND
              --compare         print how the positions differ from those in the log
              --site            scans of this site only
              --answer-seconds  the most seconds that a program may take for one scan (default 5)
              --out             write the positions into this file, one JSON object a line;
                                gzipped when its name ends in .gz
              --visits          write the visits that begin or end with these positions into this
                                file in the same way, by the default rules. A visit that only the
                                passing of time ends has no end in it

            Reads the log that WHEREABOUTS_LOG names, with the same settings as the services. Reads
            the newest radio maps from fingerprint-builder with WHEREABOUTS_TOKEN, the token of an
            administrator. The positioner auto uses the choice that each radio map contains. Only
            the files named are written.
            """,
        run: { try await relocate($0) })

    private struct Request {
        var option: PositionerOption
        var since: Int64
        var site: SiteID?
        var compares: Bool
        var answerLimit: Duration
        var output: String?
        var visits: String?

        init(_ arguments: [String]) throws(UsageFault) {
            let reader = try ArgumentReader(
                arguments,
                options: [
                    "--since", "--positioner", "--site", "--answer-seconds", "--out", "--visits",
                ],
                flags: ["--compare"])
            guard reader.positional.isEmpty else {
                throw UsageFault("relocate has no argument \(reader.positional[0])")
            }
            guard let since = reader.last("--since").flatMap(RFC3339.microseconds) else {
                throw UsageFault("relocate needs --since TIME, such as 2026-11-21T08:00:00Z")
            }
            guard let name = reader.last("--positioner") else {
                throw UsageFault("relocate needs --positioner NAME")
            }
            do throws(PositionerOptionFault) {
                option = try PositionerOption(name)
            } catch {
                throw UsageFault(error.description)
            }
            self.since = since
            site = reader.last("--site").map(SiteID.init)
            compares = reader.has("--compare")
            answerLimit = .seconds(try reader.number("--answer-seconds", in: 0.1...3_600) ?? 5)
            output = reader.last("--out")
            visits = reader.last("--visits")
        }
    }

    private static func relocate(_ invocation: Invocation) async throws {
        let request = try Request(invocation.arguments)
        let client = try ServiceClient()
        let log = try Host.openLog(
            environment: ServiceProgram.processEnvironment, settings: ServiceProgram.serviceSettings
        )
        let blocking = BlockingWork("relocate")
        let sites = try await sites(request, log, client, blocking, invocation)
        let erased = try await Host.erasedDevices(in: log)
        let before = request.compares ? try await positions(request, log, but: erased) : [:]
        let relocation = Relocation(sites: sites, before: before)
        let file = try request.output.map { try GzipWriter(path: $0) }
        let visits = try request.visits.map { try GzipWriter(path: $0) }
        let progress = ProgressReporter("relocating", unit: "scans", total: nil)
        var comparison = RelocationComparison()
        try await forEachBatch(of: Topic.scans.name, since: request.since, in: log) { records in
            let scans = records.filter { !erased.covers($0) }
                .compactMap { try? ScanRecorded(record: $0) }
                .filter { request.site == nil || $0.site == request.site }
            let pairs = await blocking { scans.compactMap { relocation.locate($0) } }
            for pair in pairs {
                try file?.writeLine(pair.now.json)
                for visit in pair.visits { try visits?.writeLine(visit.json) }
                comparison.add(pair)
            }
            progress.advance(by: pairs.count)
        }
        try file?.close()
        try visits?.close()
        progress.finish()
        await log.close()
        if request.compares { invocation.note(comparison.table) }
        invocation.output(
            comparison.json(
                positioner: request.option.name,
                microsecondsPerScan: relocation.microsecondsPerScan))
    }

    /// The positions in the log, by the ids of their scans.
    private static func positions(
        _ request: Request, _ log: any EventLog, but erased: ErasedDevices
    ) async throws -> [EventID: PositionEstimated] {
        var positions: [EventID: PositionEstimated] = [:]
        try await forEachBatch(of: Topic.positions.name, since: request.since, in: log) {
            for record in $0 {
                guard !erased.covers(record),
                    let position = try? PositionEstimated(record: record),
                    request.site == nil || position.site == request.site
                else { continue }
                positions[position.scan] = position
            }
        }
        return positions
    }

    /// Every site on which the positioner can locate, prepared with its newest radio map.
    private static func sites(
        _ request: Request, _ log: any EventLog, _ client: ServiceClient,
        _ blocking: BlockingWork, _ invocation: Invocation
    ) async throws -> [SiteID: SiteKnowledge] {
        var all: [SiteID: SiteSources] = [:]
        let published = try await Host.publishedSites(in: log, note: invocation.note)
        let topics = [Topic.radioMaps, .magneticRoutes].map(\.name)
        try await log.readRange(log.ranges(of: topics)) { records in
            for record in records { _ = all.evolve(record) }
        }
        let positioner = request.option.positioner(
            settings: .measuring(
                answerLimit: request.answerLimit,
                mayUseNetwork: ServiceProgram.programsMayUseNetwork()), note: invocation.note)
        let working = WorkingPositioner(
            positioner: positioner, option: request.option.text,
            isProgram: request.option.isProgram)
        var sites: [SiteID: SiteKnowledge] = [:]
        for (id, site) in published where request.site == nil || id == request.site {
            let sources = all.located(id, published: site)
            let isStated = site.index.document.locatesWithoutSurveys
            guard sources.map != nil || isStated || positioner.worksWithoutMap else { continue }
            let map = try await radioMap(sources.map, client)
            sites[id] = await blocking {
                SiteKnowledge(
                    sources, map: map, positioners: [working],
                    routes: FollowedRoutes(sources.routes, .standard), .standard)
            }
        }
        return sites
    }

    /// The radio map that the site announced; an empty one for a site that was never surveyed.
    private static func radioMap(
        _ announced: RadioMapAnnounced?, _ client: ServiceClient
    ) async throws -> RadioMap {
        guard let announced else { return .empty }
        let bytes = try await client.call(
            "GET", "fingerprint-builder", "/v1/radio-maps/\(announced.hash)")
        do throws(RadioMapFault) {
            return try RadioMapArtifact.decode(bytes, of: announced)
        } catch {
            throw CommandFault("the radio map of \(announced.site): \(error)")
        }
    }

    /// Reads the topic's records from the time on, in batches, up to its end when the reading
    /// began.
    private static func forEachBatch(
        of topic: String, since: Int64, in log: any EventLog,
        _ body: ([StoredRecord]) async throws -> Void
    ) async throws {
        let starts = try await log.offsets(of: topic, atMicroseconds: since)
        let ends = try await log.readableEnds(of: topic)
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (partition, (start, end)) in zip(starts, ends).enumerated() where start < end {
            ranges[TopicPartition(topic, partition)] = start..<end
        }
        try await log.readRange(ranges, body)
    }
}

extension VisitEvent {
    /// The value of the event's record.
    fileprivate var json: [UInt8] {
        switch self {
        case .started(let event): event.json
        case .ended(let event): event.json
        case .entered(let event): event.json
        case .left(let event): event.json
        }
    }
}
