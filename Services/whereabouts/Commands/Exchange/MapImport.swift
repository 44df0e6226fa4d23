import Events
import Geometry
import HTTPClient
import JSON
import MapFormats
import Site
import SiteExchange
import Wire

/// One run of `import` with a map: reads the file, and writes the site document or changes the
/// site's draft. Reports all that was left out, guessed or in conflict.
struct MapImport {
    /// The most notes that are printed; `--report` writes all of them.
    private static let notesShown = 20

    private let invocation: Invocation
    private let format: MapFormat
    private let path: String
    private let site: SiteID?
    private let basePath: String?
    private let outputPath: String?
    private let reportPath: String?
    /// Whether the draft is published after the import.
    private let isPublished: Bool
    /// Whether the import is only described.
    private let isPreview: Bool
    /// Whether the file counts where it differs from the draft.
    private let prefersFile: Bool
    private let timeZone: String?
    private var options: ImportOptions

    /// - Parameter format: the format that the first argument names.
    init(_ invocation: Invocation, _ format: MapFormat) throws(UsageFault) {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: [
                "--site", "--base", "--output", "--report", "--name", "--time-zone", "--prefer",
                "--floor", "--unit", "--layers", "--offset", "--turn",
            ], lists: ["--column"],
            flags: ["--publish", "--preview", "--remove-vanished", "--move-rooms"])
        guard reader.positional.count == 2 else {
            throw UsageFault("import \(format.name) needs one file")
        }
        self.invocation = invocation
        self.format = format
        path = reader.positional[1]
        site = try reader.site("--site")
        basePath = reader.last("--base")
        outputPath = reader.last("--output")
        reportPath = reader.last("--report")
        isPublished = reader.has("--publish")
        isPreview = reader.has("--preview")
        prefersFile = reader.last("--prefer") == "file"
        guard prefersFile || reader.last("--prefer") == nil else {
            throw UsageFault("--prefer can only be file")
        }
        timeZone = reader.last("--time-zone")
        guard site != nil || !format.needsSite else {
            throw UsageFault(
                "import \(format.name) needs --site ID: its file goes into a site that is there")
        }
        options = ImportOptions(
            name: reader.last("--name"), timeZone: timeZone ?? "Etc/UTC",
            drawing: try reader.drawingOptions(), roomList: try reader.roomListOptions())
    }

    mutating func run() async throws {
        guard let site else {
            let imported = try format.read(path, options)
            try write(imported)
            summarize(imported, Outcome())
            return
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        guard let draft = try await services.draft(site) else {
            guard !format.needsSite else { throw SiteMissing(site: site) }
            // The site does not exist yet: the file becomes its first version.
            var imported = try format.read(path, options)
            if imported.document.name == OpenStreetMapImport.unnamed {
                options.name = site.text
                imported = try format.read(path, options)
            }
            try write(imported)
            let version = try await services.publish(imported.document, as: site, replacing: 0)
            summarize(imported, Outcome(version: version, isChanged: true))
            return
        }
        // Options that were not given keep the site's present values.
        options.frame = LocalFrame(draft.document)
        options.name = options.name ?? draft.document.name
        options.timeZone = timeZone ?? draft.document.buildings.first?.timeZone ?? "Etc/UTC"
        if format.isComparedWithFormer, let basePath {
            options.roomList.former = RoomList.former(.path(basePath), options.roomList)
        }
        let imported = try format.read(path, into: draft.document, options)
        // A file that is a part of a site only adds to the draft, so the draft is its base.
        let base = format.isPart(.path(path)) ? draft.document : try readBase()
        let echo = prefersFile ? try format.echo(of: draft.document) : nil
        let merge =
            echo.map {
                ImportMerge(preferring: imported.document, echo: $0, current: draft.document)
            } ?? ImportMerge(base: base, imported: imported.document, current: draft.document)
        try write(imported)
        if isPreview {
            return summarize(imported, Outcome(isPreview: true, merged: merge.report))
        }
        let edited = try await services.edit(
            site, draft, to: merge.document, isMeasured: format.givesRises)
        var outcome = Outcome(isChanged: edited.isChanged, merged: merge.report)
        if isPublished {
            outcome.version = try await services.publishDraft(site, tag: edited.draft.tag)
        }
        summarize(imported, outcome)
    }

    /// The import's effect on the site.
    private struct Outcome {
        /// The version that was published; nil if none was.
        var version: Int?
        var isChanged = false
        var isPreview = false
        var merged: MergeReport?
    }

    /// The document of the last import.
    private func readBase() throws -> SiteDocument? {
        try basePath.map(readSite)
    }

    private func write(_ imported: ImportedSite) throws {
        if let outputPath { try writeFile(outputPath, imported.document.json) }
        guard let reportPath else { return }
        var writer = JSONWriter(capacity: 65_536)
        for note in imported.report.notes {
            writer.beginObject()
            writer.field("id", note.id)
            writer.field("what", note.what.rawValue)
            writer.field("detail", note.detail)
            writer.endObject()
            writer.endLine()
        }
        try writeFile(reportPath, writer.finish())
    }

    /// Prints counts, notes and conflicts for people, and a line of JSON for programs.
    private func summarize(_ imported: ImportedSite, _ outcome: Outcome) {
        let report = imported.report
        for (kind, count) in report.counts.sorted(by: { $0.key < $1.key }) {
            invocation.note("\(count) \(kind)")
        }
        for note in report.notes.prefix(Self.notesShown) {
            invocation.note("\(note.id): \(note.detail) (\(note.what.rawValue))")
        }
        let more = report.noteCount - Self.notesShown
        if more > 0 { invocation.note("and \(more) more notes; --report FILE writes all") }
        for conflict in outcome.merged?.conflicts.prefix(Self.notesShown) ?? [] {
            let field = conflict.field.map { ", \($0)" } ?? ""
            invocation.note(
                "\(conflict.kind) \(conflict.id)\(field): kept as it was edited "
                    + "(\(conflict.reason.rawValue))")
        }
        if outcome.isPreview {
            noteChanges(outcome)
        } else if let site, outcome.version == nil {
            invocation.note(
                outcome.isChanged
                    ? "The draft of \(site) has the import: "
                        + "`whereabouts publish --site \(site)` publishes it."
                    : "Nothing changed: the draft of \(site) had all of it already.")
        }
        var line = JSONWriter()
        line.beginObject()
        line.field("format", format.name)
        if outcome.isPreview { line.field("preview", true) }
        if let site {
            line.field("site", site.text)
            line.field("changed", outcome.isChanged)
        }
        if let version = outcome.version { line.field("version", version) }
        if let merged = outcome.merged { line.field("conflicts", merged.conflictCount) }
        line.name("counts")
        line.counts(report.counts)
        line.name("notes")
        line.counts(
            Dictionary(
                uniqueKeysWithValues: report.noteCounts.map { ($0.key.rawValue, $0.value) }))
        line.endObject()
        invocation.output(line.finishText())
    }
}

extension MapImport {
    /// Describes what the import would change.
    private func noteChanges(_ outcome: Outcome) {
        for (kind, counts) in outcome.merged?.counts.sorted(by: { $0.key < $1.key }) ?? [] {
            invocation.note(
                "\(kind): \(counts.added) added, \(counts.changed) changed, "
                    + "\(counts.removed) removed")
        }
        invocation.note("This was a preview: nothing was changed.")
    }
}

extension JSONWriter {
    /// Writes an object of numbers, sorted by name.
    mutating func counts(_ counts: [String: Int]) {
        beginObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            self.name(name)
            integer(count)
        }
        endObject()
    }
}

extension LocalFrame {
    fileprivate init(_ document: SiteDocument) {
        self.init(
            originLatitude: document.originLatitude, originLongitude: document.originLongitude,
            bearingDegrees: document.bearingDegrees)
    }
}
