public import Events
import Geometry
import JSON
public import Site
public import SiteExchange

/// The changes that an import would make to a draft, before anybody applies it.
public struct ImportPreview {
    /// The most changes that are listed with their shapes, and the most findings and faults.
    private static let mostChanges = 2_000
    private static let mostFindings = 200
    /// The most corners of all shapes; further changes are listed without theirs.
    private static let mostCorners = 100_000
    private static let mostLayers = 1_000
    private static let mostFaults = 20

    /// The merged draft beside the present one.
    public struct Result {
        var before: SiteDocument
        var after: SiteDocument
        var merge: MergeReport
        var report: ImportReport
        /// The review of the merged draft.
        var review: SiteReview
        /// The findings that the present draft does not have.
        var findings: [ReviewFinding]
        var faults: [SiteFault]

        public init(
            from before: SiteDocument, to after: SiteDocument, merge: MergeReport,
            report: ImportReport, isTimeZone: (String) -> Bool
        ) {
            self.before = before
            self.after = after
            self.merge = merge
            self.report = report
            let known = Set(SiteValidation.firstFaults(in: before))
            faults = SiteValidation.firstFaults(in: after).filter { !known.contains($0) }
            review = SiteReview(after, isTimeZone: isTimeZone)
            let former = Set(
                SiteReview(before, isTimeZone: isTimeZone).findings.map(Self.mark))
            findings = review.findings.filter { !former.contains(Self.mark($0)) }
        }

        private static func mark(_ finding: ReviewFinding) -> String {
            "\(finding.code.rawValue) \(finding.text)"
        }
    }

    private let site: SiteID
    private let format: String
    private let revision: Int
    private let facts: FileFacts?
    private let result: Result?

    /// - Parameter result: nil where the file needs a choice first.
    public init(
        at site: SiteID, format: String, revision: Int, facts: FileFacts?, _ result: Result?
    ) {
        self.site = site
        self.format = format
        self.revision = revision
        self.facts = facts
        self.result = result
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("format", format)
        writer.field("revision", revision)
        writer.array("needs", facts?.needs.map(\.rawValue) ?? [])
        if let facts { write(facts, to: &writer) }
        if let result { write(result, to: &writer) }
        writer.endObject()
        return writer.finish()
    }

    private func write(_ facts: FileFacts, to writer: inout JSONWriter) {
        writer.name("file")
        writer.beginObject()
        writer.field("own", facts.isOwn)
        writer.field("unit", facts.unit?.rawValue)
        writer.array("layers", facts.layers.prefix(Self.mostLayers)) { layer, writer in
            writer.beginObject()
            writer.field("name", layer.name)
            writer.field("shown", layer.isShown)
            writer.field("outlines", layer.outlines)
            writer.field("lines", layer.lines)
            writer.field("texts", layer.texts)
            writer.endObject()
        }
        writer.array("header", facts.header)
        writer.name("columns")
        writer.beginObject()
        for column in RoomList.Column.allCases {
            guard let name = facts.columns[column] else { continue }
            writer.name(column.rawValue)
            writer.string(name)
        }
        writer.endObject()
        writer.endObject()
    }

    private func write(_ result: Result, to writer: inout JSONWriter) {
        result.report.writeMembers(to: &writer)
        result.merge.writeMembers(to: &writer)
        let comparison = SiteComparison(from: result.before, to: result.after)
        let changes = ImportedChange.all(of: comparison, result.before, result.after)
        writer.field("changeCount", changes.count)
        writer.array("siteChanges", comparison.siteFields)
        let frame = result.after.frame
        var corners = 0
        writer.array("changes", changes.prefix(Self.mostChanges)) { change, writer in
            corners += change.outline.count + change.points.count
            change.write(in: frame, hasShape: corners <= Self.mostCorners, to: &writer)
        }
        writer.field("faultCount", result.faults.count)
        writer.array("faults", result.faults.prefix(Self.mostFaults)) { fault, writer in
            writer.string("\(fault.subject): \(fault.detail)")
        }
        writer.field("findingCount", result.findings.count)
        result.review.writeFindings(
            Array(result.findings.prefix(Self.mostFindings)), of: result.after, to: &writer)
    }
}
