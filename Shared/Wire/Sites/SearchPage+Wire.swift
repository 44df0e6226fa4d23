import Events
import JSON
public import SiteSearch

extension SearchPage {
    /// - Parameters:
    ///   - version: the version of the site.
    ///   - language: the language of the names.
    public func json(version: Int, language: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("version", version)
        writer.array("results", results) { result, writer in
            let entry = result.entry
            writer.beginObject()
            writer.field("kind", entry.kind.rawValue)
            writer.field("category", entry.category)
            writer.field("id", entry.id)
            writer.field("name", entry.name(in: language))
            writer.array("floors", entry.floors.map(\.text))
            writer.field("match", result.match.rawValue)
            writer.endObject()
        }
        writer.next(next?.description)
        writer.endObject()
        return writer.finish()
    }
}
