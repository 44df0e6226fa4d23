public import Events
internal import JSON
public import Privacy

/// The format of a list of counts, chosen by the request's Accept. The default is NDJSON.
public enum ZoneCountFormat: String, CaseIterable {
    case ndjson = "application/x-ndjson"
    case json = "application/json"
    case csv = "text/csv"

    public func encode(_ counts: [ZoneCount], site: SiteID) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(counts.map { Self.object($0, site) })
        case .json: ListWriting.array(counts.map { Self.object($0, site) })
        case .csv: Self.table(counts, site)
        }
    }

    private static func object(_ count: ZoneCount, _ site: SiteID) -> [UInt8] {
        var writer = JSONWriter(capacity: 160)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("kind", count.zone.kind.rawValue)
        writer.field("zone", count.zone.id.text)
        writer.field("from", count.quarter.begins.text)
        writer.field("until", count.quarter.ends.text)
        writer.field("devices", count.devices)
        writer.endObject()
        return writer.finish()
    }

    /// Writes CSV (RFC 4180). No field needs quotes, because ids hold neither commas nor quotes.
    private static func table(_ counts: [ZoneCount], _ site: SiteID) -> [UInt8] {
        var text = "site,kind,zone,from,until,devices\r\n"
        for count in counts {
            let fields = [
                site.text, count.zone.kind.rawValue, count.zone.id.text,
                count.quarter.begins.text, count.quarter.ends.text, "\(count.devices)",
            ]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }
}

/// The end of a page of counts: `QUARTER~KIND~ZONE`.
public struct ZoneCountCursor: Sendable {
    public var quarter: QuarterHour
    public var zone: Zone

    public init(_ count: ZoneCount) {
        quarter = count.quarter
        zone = count.zone
    }

    public init?(_ text: String) {
        let parts = text.split(separator: "~")
        guard parts.count == 3, let time = Timestamp(text: String(parts[0])),
            let quarter = QuarterHour(beginning: time),
            let kind = ZoneKind(rawValue: String(parts[1])),
            let id = ZoneID(validating: String(parts[2]))
        else { return nil }
        self.quarter = quarter
        zone = Zone(kind, id)
    }

    public var text: String { "\(quarter.begins.text)~\(zone.kind.rawValue)~\(zone.id.text)" }
}
