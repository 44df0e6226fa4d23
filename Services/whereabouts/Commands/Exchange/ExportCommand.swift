import EventLog
import Events
import JSON
import ServiceHost
import ServiceRuntime
import Wire

extension Command {
    /// Writes scans, surveys, positions or a site to a file.
    public static let export = Command(
        name: "export",
        summary: "write scans, surveys, positions, or a site as a map to a file",
        help: """
            whereabouts export scans --since TIME [--site ID] --output FILE
            whereabouts export surveys [--site ID] --output FILE
            whereabouts export positions --site ID [--since TIME] [--until TIME] [--device ID]
                [--format ndjson|csv] --output FILE
            whereabouts export imdf|geojson|rooms|access-points|connections|beacons
                (SITE.json | --site ID) --output FILE [--base ARCHIVE]
            whereabouts export site --site ID --output FILE

              --since   scans that were appended at or after this time, such as
                        2026-11-21T08:00:00Z
              --until   positions of scans that were made before this time
              --site    scans, surveys or positions of this site only; for a map, the published
                        site
              --output  the file. Scans, surveys and positions are one JSON object a line, gzipped
                        if the name ends in .gz. A map is a zip of IMDF, GeoJSON, a CSV of rooms
                        or access points, the set-up file of Flair, or the site document
              --format  of positions; by default csv if the file's name ends in .csv or .csv.gz,
                        else ndjson
              --base    the IMDF archive that the site was imported from: parts that have not
                        changed since are copied from it. Default with --site: the archive that
                        was imported over HTTP

            Scans and surveys are read from the log that WHEREABOUTS_LOG names, with the same
            settings as the services. Surveys that were withdrawn or erased are left out; a site
            without any is a fault. Positions and published sites need WHEREABOUTS_URL and
            WHEREABOUTS_TOKEN.
            """,
        run: { try await export($0) })

    private static func export(_ invocation: Invocation) async throws {
        if let name = invocation.arguments.first, MapExport.names.contains(name) {
            return try await MapExport(invocation, name).run()
        }
        if invocation.arguments.first == PositionExport.name {
            return try await PositionExport(invocation).run()
        }
        if invocation.arguments.first == SurveyExport.name {
            return try await SurveyExport(invocation).run()
        }
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--since", "--site", "--output"])
        guard reader.positional == ["scans"] else {
            let formats = MapExport.names.joined(separator: ", ")
            throw UsageFault("export needs one of scans, surveys, positions, \(formats)")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        guard let since = reader.last("--since").flatMap(RFC3339.microseconds) else {
            throw UsageFault("export scans needs --since TIME, such as 2026-11-21T08:00:00Z")
        }
        let site = reader.last("--site").map(SiteID.init)
        let log = try Host.openLog(
            environment: ServiceProgram.processEnvironment, settings: ServiceProgram.serviceSettings
        )
        let erased = try await Host.erasedDevices(in: log)
        let lines = ScanLines(invocation: invocation, unit: "scans", output: output, site: site)
        try await lines.write(from: log, .scans, since: since) { (record) throws(WireFault) in
            if record.headers["ce_type"] == EventType.timePassed.name { return nil }
            if DeviceErased.isIn(record) || erased.covers(record) { return nil }
            return ScanSubmission(try ScanRecorded(record: record))
        }
        await log.close()
    }
}
