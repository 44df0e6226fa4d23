import Archive
import Events
import JSON
import Wire

extension Command {
    /// Posts the scans of a file as devices would, and compares the positions with the true places.
    public static let replay = Command(
        name: "replay", summary: "post the scans of a file as devices would",
        help: """
            whereabouts replay FILE [--speed N | --rate N] [--keep-times] [--limit N] [--table]
                [--until-accepted] [--accepted FILE] [--taps] [--site SITE]

              FILE              scans, one JSON object a line, also gzipped
              --speed           how many times faster than recorded (default 1)
              --rate            scans a second, instead of the recorded times
              --keep-times      scans keep their distances in time, however fast they are sent: the
                                first one gets the present time. Without it each gets the time at
                                which it is sent, so that people seem to run, which auto does not
                                believe. Kept times may be an hour ahead of the server's clock.
                                Until they have come, other scans of the same devices are late
              --limit           only the first N scans
              --table           show the newest positions while it runs
              --until-accepted  don't wait for positions, and fail if a scan was refused
              --taps            post them as taps ("I am here"), with their places; no positions
              --site            the site, in place of that in the file
              --accepted        write the ids of accepted scans (status 202) to this file

            Scans get new ids. Each is sent until it is accepted or refused for
            good, always with the same id. Prints one JSON object with the number of accepted scans
            and, if the file contains the true places, the errors of the positions. Needs
            WHEREABOUTS_TOKEN, the token of an administrator.
            """,
        run: { try await Replay($0).run() })
}

/// One run of `replay`.
struct Replay {
    /// The most seconds that the last positions may take after the last scan was accepted.
    private static let positionSeconds = 30

    private let invocation: Invocation
    private let services: ServiceClient
    private let path: String
    private let pace: ReplayTimes.Pace
    private let keepsTimes: Bool
    private let limit: Int?
    private let isStubborn: Bool
    private let showsTable: Bool
    private let acceptedPath: String?
    private let areTaps: Bool
    private let site: SiteID?

    init(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: ["--speed", "--rate", "--limit", "--accepted", "--site"],
            flags: ["--until-accepted", "--table", "--taps", "--keep-times"])
        guard reader.positional.count == 1 else { throw UsageFault("replay needs one file") }
        self.invocation = invocation
        path = reader.positional[0]
        let speed = try reader.number("--speed", in: 0.001...100_000) ?? 1
        let rate = try reader.number("--rate", in: 0.001...1_000_000)
        pace = rate.map { .perSecond($0) } ?? .times(speed)
        keepsTimes = reader.has("--keep-times")
        limit = try reader.unsigned("--limit").map { Int(clamping: $0) }
        isStubborn = reader.has("--until-accepted")
        showsTable = reader.has("--table")
        acceptedPath = reader.last("--accepted")
        areTaps = reader.has("--taps")
        site = try reader.last("--site").map { text in
            guard let site = SiteID(validating: text) else {
                throw UsageFault("--site needs the id of a site")
            }
            return site
        }
        services = try ServiceClient()
    }

    func run() async throws {
        let scans = try readScans()
        guard !scans.isEmpty else { throw EmptyScanFile(path: path) }
        let recorded = scans.map(\.scan.at)
        let times = try ReplayTimes(pace, keeps: keepsTimes, recorded: recorded)
        if let advice = times.advice(recorded: recorded) { invocation.note(advice) }
        let watch =
            isStubborn || areTaps
            ? nil : PositionWatch(services: services, sites: Set(scans.compactMap(\.scan.site)))
        if let watch { try await watch.start() }
        let sender = ScanSender(
            services: services, times: times, watch: watch, areTaps: areTaps,
            note: invocation.note)
        let progress = ProgressReporter("sending", unit: "scans", total: scans.count)
        let began = ContinuousClock.now
        let table = showsTable ? watch.map { PositionTable(watch: $0) } : nil
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            for (index, scan) in scans.enumerated() {
                let seconds = times.secondsUntil(index, at: scan.scan.at)
                let due = began.advanced(by: .seconds(seconds))
                if ContinuousClock.now < due { try? await Task.sleep(until: due) }
                if underWay >= ScanSender.concurrency {
                    await group.next()
                    underWay -= 1
                }
                group.addTask { await sender.send(scan) }
                underWay += 1
                if let table { await table.showWhenDue() } else { progress.advance() }
            }
        }
        if table == nil { progress.finish() }
        let sent = await sender.outcome()
        if let acceptedPath {
            let lines = sent.accepted.map { "\($0)\n" }.joined()
            try writeFile(acceptedPath, Array(lines.utf8))
        }
        await watch?.wait(for: sent.accepted, seconds: Self.positionSeconds)
        await table?.finish()
        if let reason = sent.lastRefusal {
            invocation.note(
                "\(scans.count - sent.accepted.count) scans were refused, the last one because: "
                    + reason)
        }
        let seen = await watch?.summary(of: sent.accepted)
        invocation.output(Self.summary(sent, of: scans.count, seen: seen))
        await watch?.stop()
        guard sent.accepted.count > 0 else { throw NothingAccepted() }
        if isStubborn, sent.accepted.count < scans.count { throw SomeRefused() }
    }

    private func readScans() throws -> [ReplayedScan] {
        var scans: [ReplayedScan] = []
        let decoder = SubmissionDecoder(.file)
        let limit = limit ?? .max
        try ArchiveReader(path: path).forEachLine { line, number in
            guard scans.count < limit, !line.isEmpty else { return }
            do throws(WireFault) {
                var scan = try decoder.decodeOne(
                    UnsafeRawBufferPointer(line), receivedAt: Timestamp(microseconds: 0))
                scan.site = site ?? scan.site
                scans.append(ReplayedScan(scan: scan))
            } catch {
                throw CommandFault("\(path), line \(number): \(error)")
            }
        }
        return scans
    }

    /// The last line of output. It also counts refused scans, and accepted ones without a position.
    static func summary(
        _ sent: ScanSender.Outcome, of scans: Int, seen: PositionWatch.Summary?
    ) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("scansAccepted", sent.accepted.count)
        line.field("scansRefused", scans - sent.accepted.count)
        if let seen {
            line.field("positions", seen.positions)
            line.field("positionsMissing", sent.accepted.count - seen.positions)
            line.field("streamBreaks", seen.streamBreaks)
            line.field("medianError", seen.medianError, decimals: 3)
            line.field("meanError", seen.meanError, decimals: 3)
            line.field("roomHit", seen.roomHit, decimals: 4)
            line.field("floorHit", seen.floorHit, decimals: 4)
            line.field("scanToPositionMillisecondsP50", seen.latencyP50, decimals: 1)
            line.field("scanToPositionMillisecondsP99", seen.latencyP99, decimals: 1)
        }
        line.endObject()
        return line.finishText()
    }
}

/// A scan of the file, ready to be sent under a new id.
struct ReplayedScan: Sendable {
    var scan: ScanSubmission
}

private struct EmptyScanFile: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) holds no scans" }
}

private struct SomeRefused: Error, CustomStringConvertible {
    let description = "not all scans were accepted; the line above has the last reason"
}

private struct NothingAccepted: Error, CustomStringConvertible {
    let description = "no scan was accepted; the line above has the last reason"
}
