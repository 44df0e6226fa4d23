internal import Events
internal import JSON

/// The format of a list of visits, chosen by the request's Accept. The default is NDJSON.
public enum VisitFormat: String, CaseIterable, Sendable {
    case ndjson = "application/x-ndjson"
    /// One array, for generated clients.
    case json = "application/json"
    case csv = "text/csv"

    /// Whether a list can be sent page by page.
    public var isEndless: Bool { self != .json }

    /// The format of a file by its name, as in `?format=csv`.
    public init?(file: String) {
        guard let format = Self.allCases.first(where: { $0.file == file }) else { return nil }
        self = format
    }

    /// The end of a file's name.
    public var file: String {
        switch self {
        case .ndjson: "ndjson"
        case .json: "json"
        case .csv: "csv"
        }
    }

    /// - Parameter isContinued: whether the client has the line of headings.
    public func encode(_ visits: [KnownVisit], isContinued: Bool = false) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(visits.map(Self.object))
        case .json: ListWriting.array(visits.map(Self.object))
        case .csv: Self.table(visits, hasHeadings: !isContinued)
        }
    }

    /// The end of a list that is sent page by page.
    ///
    /// - Parameters:
    ///   - count: the number of visits.
    ///   - isFile: whether the last line says that the file is complete.
    public func end(_ count: Int, isFile: Bool) -> [UInt8] {
        guard isFile else { return [] }
        return switch self {
        case .ndjson: ListWriting.lastLine(count)
        case .csv: ListWriting.lastRow(count)
        case .json: []
        }
    }

    private static func object(_ visit: KnownVisit) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.field("id", visit.visit.description)
        writer.field("site", visit.site.text)
        writer.field("device", visit.device.text)
        writer.field("kind", visit.zone.kind.rawValue)
        writer.field("zone", visit.zone.id.text)
        writer.field("entered", visit.entered.text)
        if let left = visit.left {
            writer.field("left", left.text)
        }
        writer.field("confidence", visit.confidence, decimals: 6)
        if let reason = visit.reason { writer.field("reason", reason.rawValue) }
        writer.endObject()
        return writer.finish()
    }

    /// Writes CSV (RFC 4180). No field needs quotes, because ids hold neither commas nor quotes.
    private static func table(_ visits: [KnownVisit], hasHeadings: Bool) -> [UInt8] {
        var text =
            hasHeadings ? "id,site,device,kind,zone,entered,left,confidence,reason\r\n" : ""
        for visit in visits {
            let fields = [
                visit.visit.description, visit.site.text, visit.device.text,
                visit.zone.kind.rawValue, visit.zone.id.text,
                visit.entered.text,
                visit.left?.text ?? "",
                "\(visit.confidence)", visit.reason?.rawValue ?? "",
            ]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }
}
