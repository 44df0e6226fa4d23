import Events
import JSON
public import Site

extension SiteComparison {
    /// Whether two versions are the same, and their differences.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("identical", isEmpty)
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// The changes of an edit, with the draft's new revision.
    public func json(revision: Int, isChanged: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("revision", revision)
        writer.field("changed", isChanged)
        writer.name("changes")
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    /// `{"site": [...], "added": [...], "removed": [...], "changed": [{"kind", "id", "fields"}]}`.
    private func writeMembers(to writer: inout JSONWriter) {
        writer.name("site")
        texts(siteFields, &writer)
        writer.name("added")
        things(added, &writer)
        writer.name("removed")
        things(removed, &writer)
        writer.name("changed")
        writer.beginArray()
        for change in changed {
            writer.beginObject()
            writer.field("kind", change.thing.kind)
            writer.field("id", change.thing.id)
            writer.name("fields")
            texts(change.fields, &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    private func things(_ things: [SiteThing], _ writer: inout JSONWriter) {
        writer.beginArray()
        for thing in things { thing.write(to: &writer) }
        writer.endArray()
    }

    private func texts(_ texts: [String], _ writer: inout JSONWriter) {
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
    }
}
