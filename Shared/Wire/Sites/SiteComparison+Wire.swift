import Events
public import JSON
public import Site

extension SiteComparison {
    /// `{"site": [...], "added": [...], "removed": [...], "changed": [{"kind", "id", "fields"}]}`.
    public func writeMembers(to writer: inout JSONWriter) {
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
