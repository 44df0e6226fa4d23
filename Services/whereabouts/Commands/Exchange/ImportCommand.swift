import Archive
import Datasets
import Events
import HTTPClient
import JSON
import MapFormats
import Site
import Wire

extension Command {
    /// Brings a map in as a site, or a data set as a site, surveys and a scan file with the truth.
    public static let importFile = Command(
        name: "import",
        summary: "bring in a map as a site, a table of rooms, or a data set with scans",
        help: """
            whereabouts import FORMAT FILE [--output FILE] [--site ID] [--base FILE]
                [--name TEXT] [--time-zone ZONE] [--report FILE] [--publish]
            whereabouts import csv FILE (--site ID | --into SITE.json) [--output FILE] [--publish]
            whereabouts import DATASET PATH [--site ID] [--scans FILE]
                [--train-months N] [--test-months N] [--seed N]

              FORMAT   of a map:
            \(MapFormat.maps.map { "           \($0.name): \($0.summary)" }.joined(separator: "\n"))
              --output     write the site document
              --site       put it into this site's draft; what people have edited there is kept,
                           published or not, and conflicts are listed; a site that is not there yet
                           is published; needs WHEREABOUTS_TOKEN
              --publish    publish the draft then, with all that is in it
              --base       what --output wrote at the last import; without it all that is in the
                           site counts as edited
              --name       the site's name (default: as it is, else what the map says)
              --time-zone  of the buildings, such as Europe/London (default: as it is, else Etc/UTC)
              --report     write what was left out or guessed, one JSON object a line

            A map is imported whole or, where the file is broken, not at all. The same file gives the
            same site. GeoJSON without buildings and floors is a part of the site that is there: what it
            does not name stays.

              csv      a table, gzipped or not, that goes into a site whole or not at all; rooms by
                       the columns id and floor, and any of name, name:xx, kind, outline, x, y, side,
                       accessible, restricted, openingHours; or access points by bssid, floor, x, y.
                       What it does not name stays; `export rooms` writes one to begin with
              --site   the site into whose draft it goes; needs WHEREABOUTS_TOKEN
              --into   a site document, which stays as it is
              --output write the document with the table's rows in it

              DATASET  \(DatasetKind.allCases.map(\.rawValue).joined(separator: " | "))
              PATH     the set as it was handed out: a folder, a zip, a tar.gz, or a folder of
                       .csv or .csv.gz files; for jsonl a folder with site.json,
                       surveys.jsonl(.gz) and scans.jsonl(.gz)
              --site   the site's id (default: the set's own)
              --scans  write the test scans with their truth, for `whereabouts replay`

            Publishes the site, posts the surveys over HTTP, and waits until the radio map is in use.
            Importing the same set again changes nothing. Needs WHEREABOUTS_TOKEN.
            """,
        run: { invocation in
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
}

/// One run of `import` with a data set.
private struct Importer {
    /// Surveys in one request.
    private static let batchSize = 200
    /// Requests under way at once.
    private static let concurrency = 4
    /// How long the radio map may take after the last survey was acknowledged.
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
            throw UsageFault("import takes a format or a data set, and a path")
        }
        guard let kind = DatasetKind(rawValue: reader.positional[0]) else {
            throw UsageFault("\(reader.positional[0]) is no format of maps and no data set")
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

    /// A set is a site of its own: one that people have edited is left alone.
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

    /// Posts the surveys in batches, several at once, until they are taken.
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
            // Surveys of old are not late and their clock is not skewed: only `at` counts.
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
                return (surveys.count, try Self.acceptedCount(answer.body))
            } catch let refusal as ServiceClient.Refusal where Self.isTooEarly(refusal) {
                attempts += 1
                guard attempts < 60 else { throw refusal }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// A site that scan-ingest has not heard of yet.
    private static func isTooEarly(_ refusal: ServiceClient.Refusal) -> Bool {
        refusal.status == 404 && refusal.body.contains("site-unknown")
    }

    private static func acceptedCount(_ answer: [UInt8]) throws -> Int {
        try JSONParser.read(answer) { root in root.object?["accepted"]?.int ?? 0 }
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

    /// Waits until the surveys are in a radio map, and the locator works with it.
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

    /// The radio map that an answer of `POST /v1/locate` names.
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
            // The locator has not read the site yet, or its map.
            return 0
        }
    }
}

/// The site's draft has edits that the data set's site would throw away.
private struct DraftEdited: Error, CustomStringConvertible {
    let site: SiteID
    var description: String {
        "the draft of \(site) has edits that nobody has published: publish them, take them back, or "
            + "name another --site"
    }
}

/// The surveys were acknowledged, but no radio map holds them yet.
private struct MapMissing: Error, CustomStringConvertible {
    let site: SiteID
    let surveys: Int
    var description: String {
        "the \(surveys) surveys of \(site) were taken, but no radio map with them is in use yet; "
            + "see the log of fingerprint-builder"
    }
}
