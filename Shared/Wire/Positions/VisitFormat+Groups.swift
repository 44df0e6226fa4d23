internal import Events
internal import JSON

extension VisitFormat {
    public func encode(_ visits: [KnownGroupVisit]) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(visits.map(Self.object))
        case .json: ListWriting.array(visits.map(Self.object))
        case .csv: Self.table(visits)
        }
    }

    private static func object(_ visit: KnownGroupVisit) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.field("id", visit.visit)
        writer.field("site", visit.site)
        writer.field("device", visit.device)
        writer.field("group", visit.group)
        writer.field("floor", visit.floor)
        writer.field("entered", visit.entered)
        writer.field("left", visit.left)
        writer.endObject()
        return writer.finish()
    }

    /// Writes CSV (RFC 4180). No field needs quotes, because ids hold neither commas nor quotes.
    private static func table(_ visits: [KnownGroupVisit]) -> [UInt8] {
        var text = "id,site,device,group,floor,entered,left\r\n"
        for visit in visits {
            let fields = [
                visit.visit.description, visit.site.text, visit.device.text, visit.group.text,
                visit.floor.text, visit.entered.text, visit.left?.text ?? "",
            ]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }
}
