public import Events
import JSON
public import SiteExchange

/// The answer to an import: the report, and the version or revision that it made.
public struct ImportAnswer {
    /// The version of the site, or the revision of its draft, after the import.
    public enum Result: Sendable {
        case version(Int)
        case revision(Int)
    }

    private let site: SiteID
    private let format: String
    private let isChanged: Bool
    private let result: Result
    private let merge: MergeReport
    private let report: ImportReport

    public init(
        at site: SiteID, format: String, isChanged: Bool, _ result: Result, merge: MergeReport,
        report: ImportReport
    ) {
        self.site = site
        self.format = format
        self.isChanged = isChanged
        self.result = result
        self.merge = merge
        self.report = report
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("format", format)
        writer.field("changed", isChanged)
        switch result {
        case .version(let version): writer.field("version", version)
        case .revision(let revision): writer.field("revision", revision)
        }
        report.writeMembers(to: &writer)
        merge.writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }
}

extension ImportReport {
    /// The most notes that are listed; all are counted.
    private static let mostListed = 200

    /// `"counts": {…}, "noteCount", "notes": [{"id", "what", "detail"}]`.
    func writeMembers(to writer: inout JSONWriter) {
        writer.name("counts")
        writer.beginObject()
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            writer.name(kind)
            writer.integer(count)
        }
        writer.endObject()
        writer.field("noteCount", noteCount)
        writer.array("notes", notes.prefix(Self.mostListed)) { note, writer in
            writer.beginObject()
            writer.field("id", note.id)
            writer.field("what", note.what.rawValue)
            writer.field("detail", note.detail)
            writer.endObject()
        }
    }
}

extension MergeReport {
    /// The most conflicts that are listed; all are counted.
    private static let mostListed = 200

    /// `"records": {kind: {"added", "changed", "removed"}}, "conflictCount", "conflicts": […]`.
    func writeMembers(to writer: inout JSONWriter) {
        writer.name("records")
        writer.beginObject()
        for (kind, counts) in counts.sorted(by: { $0.key < $1.key }) {
            writer.name(kind)
            writer.beginObject()
            writer.field("added", counts.added)
            writer.field("changed", counts.changed)
            writer.field("removed", counts.removed)
            writer.endObject()
        }
        writer.endObject()
        writer.field("conflictCount", conflictCount)
        writer.array("conflicts", conflicts.prefix(Self.mostListed)) { conflict, writer in
            writer.beginObject()
            writer.field("reason", conflict.reason.rawValue)
            writer.field("kind", conflict.kind)
            writer.field("id", conflict.id)
            writer.field("field", conflict.field)
            writer.field("inFile", conflict.inFile)
            writer.field("kept", conflict.kept)
            writer.endObject()
        }
    }
}
