import Events
import HTTPClient
import JSON
import MapFormats
import Site
import SiteExchange
import Wire

/// One run of `import csv`: adds a table of rooms or access points to a site document or a site's
/// draft. A wrong row imports nothing.
struct TableImport {
    static let name = "csv"

    private let invocation: Invocation
    private let path: String
    private let site: SiteID?
    private let documentPath: String?
    private let outputPath: String?
    private let isPublished: Bool

    init(_ invocation: Invocation) throws(UsageFault) {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--into", "--output"], flags: ["--publish"])
        guard reader.positional.count == 2 else { throw UsageFault("import csv needs one file") }
        self.invocation = invocation
        path = reader.positional[1]
        site = try reader.site("--site")
        documentPath = reader.last("--into")
        outputPath = reader.last("--output")
        isPublished = reader.has("--publish")
        guard (site == nil) != (documentPath == nil) else {
            throw UsageFault("import csv needs either --site ID or --into SITE.json")
        }
        guard documentPath == nil || outputPath != nil else {
            throw UsageFault("import csv --into needs --output FILE")
        }
    }

    func run() async throws {
        let table = try DelimitedTable(readingFileAt: path)
        let kind = try SiteTable(header: table.header)
        if let documentPath {
            let before = try readSite(documentPath)
            let after = try kind.site(before, with: table)
            try write(after)
            summarize(kind, from: before, to: after, version: nil)
        } else if let site {
            let services = try ServiceClient()
            defer { services.client.close() }
            guard let draft = try await services.draft(site) else { throw SiteMissing(site: site) }
            let after = try kind.site(draft.document, with: table)
            try write(after)
            let edited = try await services.edit(site, draft, to: after)
            var version: Int?
            if isPublished {
                version = try await services.publishDraft(site, tag: edited.draft.tag)
            } else {
                invocation.note(
                    "The draft of \(site) has the table: `whereabouts publish --site \(site)` "
                        + "publishes it.")
            }
            summarize(kind, from: draft.document, to: after, version: version)
        }
    }

    private func write(_ document: SiteDocument) throws {
        if let outputPath { try writeFile(outputPath, document.json) }
    }

    private func summarize(
        _ kind: SiteTable, from before: SiteDocument, to after: SiteDocument, version: Int?
    ) {
        let changes = ImportMerge(base: before, imported: after, current: before).report.counts
        var line = JSONWriter()
        line.beginObject()
        line.field("format", Self.name)
        line.field("table", kind.rawValue)
        if let site { line.field("site", site.text) }
        if let version { line.field("version", version) }
        line.name("records")
        line.beginObject()
        for (name, counts) in changes.sorted(by: { $0.key < $1.key }) {
            line.name(name)
            line.counts([
                "added": counts.added, "changed": counts.changed, "removed": counts.removed,
            ])
        }
        line.endObject()
        line.endObject()
        invocation.output(line.finishText())
    }
}

/// No site of this id is published.
struct SiteMissing: Error, CustomStringConvertible {
    let site: SiteID
    var description: String { "no site \(site) is published" }
}

extension ArgumentReader {
    /// The site that an option names; nil when the option was not given.
    func site(_ option: String) throws(UsageFault) -> SiteID? {
        guard let text = last(option) else { return nil }
        guard isWellFormedIdentifier(text) else {
            throw UsageFault("\(text) is no site's id: [A-Za-z0-9._-], 1 to 64 characters")
        }
        return SiteID(text)
    }
}
