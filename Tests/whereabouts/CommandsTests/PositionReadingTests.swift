import Events
import Foundation
import HTTP
import Synchronization
import Testing
import Wire

@testable import Commands

/// Commands read positions from streams that break and from answers of several pages.
@Suite("Positions read by commands") struct PositionReadingTests {
    private static let site = SiteID("museum")

    private static func position(of scan: EventID) -> PositionEstimated {
        PositionEstimated(
            id: EventID(positionOf: scan, by: "knn"), scan: scan,
            at: Timestamp(milliseconds: 0),
            locatedAt: Timestamp(milliseconds: 0), device: DeviceID("pi-1"), site: site,
            siteVersion: 1, state: .lost, late: false, positioner: "knn", radioMapVersion: nil)
    }

    @Test("A broken stream is opened again behind its last event; missing positions are counted")
    func streamAgain() async throws {
        let scans = (0..<3).map { EventID(at: Timestamp(milliseconds: Int64($0))) }
        let asked = Mutex<[String]>([])
        let route = Route(
            .get, "/v1/positions/stream",
            handler: .task { request in
                let last = request.header("last-event-id") ?? ""
                asked.withLock { $0.append(last) }
                let (events, feed) = AsyncStream<ServerSentEvent>.makeStream()
                // The first connection sends the first event and ends; the second sends the next.
                let number = last.isEmpty ? 0 : 1
                if last != "1" {
                    let data = Self.position(of: scans[number]).json
                    feed.yield(ServerSentEvent(id: "\(number)", data: data))
                }
                feed.finish()
                return .events(events)
            })
        try await withServices([route]) { services in
            let watch = PositionWatch(services: services, sites: [Self.site])
            for scan in scans { await watch.expect(scan, truth: nil, sentAt: 0) }
            try await watch.start()
            await watch.wait(for: Array(scans.prefix(2)), seconds: 20)
            await watch.stop()
            let seen = await watch.summary(of: scans)
            #expect(seen.positions == 2)
            #expect(seen.streamBreaks >= 1)
        }
        #expect(asked.withLock { Array($0.prefix(2)) } == ["", "0"])
    }

    @Test("A replay's last line counts refused scans, missing positions and broken streams")
    func lastLine() {
        var sent = ScanSender.Outcome()
        sent.accepted = (0..<540).map { EventID(at: Timestamp(milliseconds: $0)) }
        var seen = PositionWatch.Summary()
        seen.positions = 50
        seen.streamBreaks = 1
        let counts = #"{"scansAccepted":540,"scansRefused":25"#
        #expect(
            Replay.summary(sent, of: 565, seen: seen)
                == counts + #","positions":50,"positionsMissing":490,"streamBreaks":1}"#)
        // With --until-accepted the replay does not count positions.
        #expect(Replay.summary(sent, of: 565, seen: nil) == counts + "}")
    }

    @Test("An export reads all pages, and a CSV has one line of headings")
    func pages() async throws {
        let route = Route(
            .get, "/v1/positions",
            handler: .task { request in
                let after = request.firstQuery("after").flatMap { Int($0) } ?? 0
                let isTable = request.header("accept") == "text/csv"
                let rows = (0..<2).map { "row-\(after + $0)" }
                return HTTPResponse(
                    headers: after < 4 ? [("whereabouts-next", "\(after + 2)")] : [],
                    body: .bytes(
                        Array(((isTable ? ["id"] : []) + rows).joined(separator: "\n").utf8)))
            })
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let rows = (0..<6).map { "row-\($0)" }
        for (format, name, expected) in [
            ("ndjson", "rows", rows), ("csv", "table", ["id"] + rows),
            (nil, "plain", rows), (nil, "named.CSV", ["id"] + rows),
        ] {
            let file = folder.appending(path: name)
            try await withServices([route]) { services in
                let outputs = Mutex("")
                let invocation = Invocation(
                    arguments: ["positions", "--site", "museum", "--output", file.path]
                        + (format.map { ["--format", $0] } ?? []),
                    output: { line in outputs.withLock { $0 = line } }, note: { _ in })
                try await PositionExport(invocation, services).run()
                #expect(outputs.withLock { $0 }.contains("\"positions\":6"))
            }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.map(String.init) == expected)
        }
    }
}
