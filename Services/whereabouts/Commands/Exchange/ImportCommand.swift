import Archive
import Datasets
import Events
import HTTPClient
import JSON
import MapFormats
import Site
import SiteExchange
import Wire

extension Command {
    /// Imports a map as a site, or a table of rooms or access points into a site. Imports a data
    /// set as a site with surveys and a file of test scans.
    public static let importFile = Command(
        name: "import",
        summary: "import a map as a site, a table, or a data set with scans",
        help: """
            whereabouts import FORMAT FILE [--output FILE] [--site ID] [--base FILE]
                [--name TEXT] [--time-zone ZONE] [--report FILE] [--publish] [--preview]
                [--prefer file]
            whereabouts import dxf FILE --site ID --floor ID [--unit UNIT] [--layers A,B]
                [--offset X,Y] [--turn DEGREES]
            whereabouts import room-list FILE --site ID [--base FILE] [--floor ID]
                [--column WHAT=HEADER] [--remove-vanished] [--move-rooms]
            whereabouts import csv FILE (--site ID | --into SITE.json) [--output FILE] [--publish]
            whereabouts import DATASET PATH [--site ID] [--scans FILE]
                [--train-months N] [--test-months N] [--seed N]

              FORMAT   the format of a map:
            \(MapFormat.maps.map { "           \($0.name): \($0.summary)" }.joined(separator: "\n"))
              --output     write the site document to this file
              --site       import into this site's draft. Edits that people have made there are
                           kept, published or not, and conflicts are listed. A site that does not
                           exist yet is published at once. Needs WHEREABOUTS_TOKEN
              --publish    publish the complete draft after the import
              --base       the file that --output wrote at the last import; without it everything
                           in the site counts as edited by people
              --name       the site's name (default: its present name, else the map's)
              --time-zone  the buildings' time zone, such as Europe/London (default: the present
                           one, else Etc/UTC)
              --report     write all that was left out or guessed, one JSON object a line
              --preview    say what the import would change, and change nothing
              --prefer     file: where the file and the draft differ, the file counts, and what it
                           lacks is removed. It is for a file that was exported from the draft

              FORMAT may be auto: then the file's content shows its format.

              --floor      of a drawing: the floor that it shows; of a list: the floor of rooms
                           whose rows state none
              --unit       of a drawing, if it states none:
                           \(DrawingUnit.allCases.map(\.rawValue).joined(separator: ", "))
              --layers     of a drawing: those with the rooms' outlines or walls and their names;
                           without it all that are switched on
              --offset     the place of the drawing's origin in the site's metres
              --turn       the angle by which the drawing is turned, anticlockwise
              --column     a column of a list that is not found by its words, such as
                           number=Raumcode; WHAT is
                           \(RoomList.Column.allCases.map(\.rawValue).joined(separator: ", "))
              --base       of a list: the one of the last time; its rooms that the new one lacks
                           have vanished
              --remove-vanished  remove rooms that have vanished, with their doors
              --move-rooms       move rooms that stand on another floor in the list, without their
                                 outlines and doors

            A broken file imports nothing. The same file always gives the same site. GeoJSON without
            buildings and floors is added to the site, as beacons and heights are: everything that
            it does not name stays.

              csv      a table, gzipped or not. Rooms have the columns id and floor, and any of
                       name, name:xx, kind, outline, x, y, side, accessible, restricted,
                       visibility, timetableVisibility (public, staff, hidden, or - for none),
                       openingHours, surface, tactilePaving. Access points have the columns
                       bssid, floor, x, y. Connections have the column id, no floor, and any of
                       handrail, doorKind, opens, glass and further facts. A row whose id is new
                       adds a door, stairs or a lift: it needs kind, rooms (their ids with spaces,
                       or outdoors), x and y, and may have x2 and y2. A wrong row imports
                       nothing; the first \(TableFault.mostTold) are told with their lines.
                       What the table does not name stays. `whereabouts export rooms` and
                       `export connections` write tables to begin with
              --site   import into this site's draft; needs WHEREABOUTS_TOKEN
              --into   import into a copy of this site document
              --output write the document with the table's rows to this file

              DATASET  \(alternatives(DatasetKind.allCases.map(\.rawValue), indent: 11))
              PATH     the data set as its publisher hands it out: a folder, a zip, a tar.gz, or a
                       folder of .csv or .csv.gz files; for jsonl a folder with site.json,
                       surveys.jsonl(.gz) and scans.jsonl(.gz)
              --site   the site's id (default: the data set's own)
              --scans  write the test scans with their true places, for `whereabouts replay`
              --train-months, --test-months, --seed: see `whereabouts accuracy --help`

            Publishes the site, posts the surveys over HTTP, and waits until the radio map is in
            use. A second import of the same data set changes nothing. Needs WHEREABOUTS_TOKEN.
            """,
        run: { invocation in
            let invocation = try recognised(invocation)
            if invocation.arguments.first == TableImport.name {
                try await TableImport(invocation).run()
            } else if let format = MapFormat.maps.first(where: {
                $0.name == invocation.arguments.first
            }) {
                var run = try MapImport(invocation, format)
                try await run.run()
            } else {
                try await Importer(invocation).run()
            }
        })

    /// The same command with the format that the file's content shows, if it asks for that.
    private static func recognised(_ invocation: Invocation) throws -> Invocation {
        guard invocation.arguments.first == MapFormat.recognised, invocation.arguments.count > 1
        else { return invocation }
        let format = try MapFormat.recognising(.path(invocation.arguments[1]))
        invocation.note("the file is read as \(format.name)")
        var named = invocation
        named.arguments[0] = format.isTable ? TableImport.name : format.name
        return named
    }
}

/// One run of `import` with a data set.
private struct Importer {
    /// The most surveys in one request.
    private static let batchSize = 200
    /// The most requests that are sent at the same time.
    private static let concurrency = 4
    /// How often a batch is sent while it is put off, once a second.
    private static let attempts = 60
    /// The most seconds from the last survey's acknowledgement until the radio map is in use.
    private static let mapSeconds = 300

    private let invocation: Invocation
    private let services: ServiceClient
    private let kind: DatasetKind
    private let path: String
    private let site: SiteID?
    private let scansPath: String?
    private let options: DatasetOptions

    init(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: ["--site", "--scans", "--train-months", "--test-months", "--seed"])
        guard reader.positional.count == 2 else {
            throw UsageFault("import needs a format or a data set, and a path")
        }
        guard let kind = DatasetKind(rawValue: reader.positional[0]) else {
            throw UsageFault("\(reader.positional[0]) is neither a map format nor a data set")
        }
        self.invocation = invocation
        self.kind = kind
        path = reader.positional[1]
        site = try reader.site("--site")
        scansPath = reader.last("--scans")
        options = DatasetOptions(
            trainMonths: try reader.numbers("--train-months"),
            testMonths: try reader.numbers("--test-months"),
            seed: try reader.unsigned("--seed") ?? 1)
        services = try ServiceClient()
    }

    func run() async throws {
        let dataset = try kind.read(ArchiveReader(path: path), options: options)
        let site = site ?? dataset.site
        if let scansPath { try writeScans(dataset.tests, site: site, to: scansPath) }
        try await publish(dataset.document, as: site)
        let before = try await status(site)
        let accepted = try await postSurveys(dataset.surveys, site: site)
        let version = try await waitForMap(site, surveys: max(before.surveys, accepted))
        var line = JSONWriter()
        line.beginObject()
        line.field("site", site.text)
        line.field("surveysAccepted", accepted)
        line.field("scans", dataset.tests.count)
        line.field("radioMapVersion", version)
        line.endObject()
        invocation.output(line.finishText())
    }

    /// Publishes the data set's site. It replaces a site of the same id, unless people have edited
    /// that site's draft.
    private func publish(_ document: SiteDocument, as site: SiteID) async throws {
        if let published = try await services.publishedSite(site) {
            if published.document == document { return }
            if let draft = try await services.draft(site), draft.document != published.document {
                throw DraftEdited(site: site)
            }
        }
        _ = try await services.deliver(
            "PUT", "site-editor", "/v1/sites/\(site)", body: document.json,
            note: { invocation.note($0) })
    }

    private func writeScans(_ tests: [Dataset.TestScan], site: SiteID, to path: String) throws {
        let file = try GzipWriter(path: path)
        for test in tests {
            var scan = test.scan
            scan.site = site
            try file.writeLine(ScanSubmission(scan, truth: test.truth).json)
        }
        try file.close()
    }

    /// Posts the surveys in batches, several at a time, until all are accepted.
    private func postSurveys(_ surveys: [SurveyRecorded], site: SiteID) async throws -> Int {
        let progress = ProgressReporter("importing", unit: "surveys", total: surveys.count)
        let starts = stride(from: 0, to: surveys.count, by: Self.batchSize)
        var accepted = 0
        try await withThrowingTaskGroup(of: (sent: Int, accepted: Int).self) { group in
            var underWay = 0
            for start in starts {
                if underWay == Self.concurrency, let done = try await group.next() {
                    accepted += done.accepted
                    progress.advance(by: done.sent)
                    underWay -= 1
                }
                let batch = surveys[start..<min(start + Self.batchSize, surveys.count)]
                group.addTask { try await post(Array(batch), site: site) }
                underWay += 1
            }
            for try await done in group {
                accepted += done.accepted
                progress.advance(by: done.sent)
            }
        }
        progress.finish()
        return accepted
    }

    private func post(
        _ surveys: [SurveyRecorded], site: SiteID
    ) async throws -> (sent: Int, accepted: Int) {
        var writer = JSONWriter(capacity: surveys.count * 3_000)
        for survey in surveys {
            var submission = ScanSubmission(survey.scan, place: survey.place)
            submission.site = site
            // These surveys are old. Without `sentAt` the server does not correct their clock.
            submission.sentAt = nil
            submission.write(to: &writer)
            writer.endLine()
        }
        let body = writer.finish()
        var attempts = 0
        while true {
            do {
                let answer = try await services.deliver(
                    "POST", "scan-ingest", "/v1/surveys", body: body,
                    note: { invocation.note($0) })
                let read = try SurveyAnswer(json: answer.body)
                guard let first = read.mayPass.first, attempts < Self.attempts else {
                    noteRefusals(read)
                    return (surveys.count, read.accepted)
                }
                invocation.note(
                    "\(read.mayPass.count) surveys are put off (\(first.code)); sending them again")
            } catch let refusal as ServiceClient.Refusal where Self.isTooEarly(refusal) {
                guard attempts < Self.attempts else { throw refusal }
            }
            attempts += 1
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func noteRefusals(_ answer: SurveyAnswer) {
        let refused = answer.refused + answer.mayPass
        guard let first = refused.first else { return }
        invocation.note("\(refused.count) surveys of a batch are refused (\(first.code))")
    }

    /// Whether the refusal means that scan-ingest has not read the new site from the log yet.
    private static func isTooEarly(_ refusal: ServiceClient.Refusal) -> Bool {
        refusal.status == 404 && refusal.body.contains("site-unknown")
    }

    private func status(_ site: SiteID) async throws -> (surveys: Int, inMap: Int, version: Int) {
        let body: [UInt8]
        do {
            body = try await services.call(
                "GET", "fingerprint-builder", "/v1/sites/\(site)/radio-map")
        } catch let refusal as ServiceClient.Refusal where refusal.status == 404 {
            return (0, 0, 0)
        }
        return try JSONParser.read(body) { root in
            let object = root.object
            return (
                object?["surveys"]?.int ?? 0, object?["surveysInMap"]?.int ?? 0,
                object?["radioMap"]?.object?["version"]?.int ?? 0
            )
        }
    }

    /// Waits until a radio map contains the surveys and the locator uses it.
    ///
    /// - Returns: the radio map's version.
    private func waitForMap(_ site: SiteID, surveys: Int) async throws -> Int {
        invocation.note("waiting for the radio map")
        var version = 0
        for _ in 0..<(Self.mapSeconds * 4) {
            if version == 0 {
                let status = try await status(site)
                if status.inMap >= surveys, status.inMap == status.surveys {
                    version = status.version
                }
            } else if try await locatorVersion(site) >= version {
                return version
            }
            try await Task.sleep(for: .milliseconds(250))
        }
        throw MapMissing(site: site, surveys: surveys)
    }

    /// The version of the radio map that the locator uses, from an answer of `POST /v1/locate`.
    private func locatorVersion(_ site: SiteID) async throws -> Int {
        do {
            let answer = try await services.call(
                "POST", "locator", "/v1/locate",
                body: Array(#"{"device":"import","site":"\#(site)","steps":0}"#.utf8),
                patience: .zero)
            return try JSONParser.read(answer) { root in
                root.object?["radioMapVersion"]?.int ?? 0
            }
        } catch let refusal as ServiceClient.Refusal where [404, 503].contains(refusal.status) {
            // The locator has not read the site or its radio map yet.
            return 0
        }
    }
}

/// The site's draft has edits that an import of the data set would remove.
private struct DraftEdited: Error, CustomStringConvertible {
    let site: SiteID
    var description: String {
        "the draft of \(site) has edits that are not published: publish them, discard them, or "
            + "choose another --site"
    }
}

/// The surveys were acknowledged, but no radio map holds them yet.
private struct MapMissing: Error, CustomStringConvertible {
    let site: SiteID
    let surveys: Int
    var description: String {
        "the \(surveys) surveys of \(site) were accepted, but no radio map with them is in use "
            + "yet; see the log of fingerprint-builder"
    }
}
