import Events
public import JSON
public import Site

extension SiteComparison {
    /// Compares member by member, as documents name them.
    public init(from old: SiteDocument, to new: SiteDocument) {
        self.init(
            from: old, to: new,
            fields: { before, after in
                guard let before = before as? any SiteRecordWire,
                    let after = after as? any SiteRecordWire
                else { return [] }
                return differingMembers(before.json, after.json)
            },
            siteFields: { before, after in differingMembers(before.json, after.json) })
    }

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
            writer.field("id", change.thing.idText)
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

/// The members that only one of two objects has, or that differ; sorted.
private func differingMembers(_ one: [UInt8], _ other: [UInt8]) -> [String] {
    let (before, after) = (members(one), members(other))
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
}

private func members(_ json: [UInt8]) -> [String: [UInt8]] {
    var members: [String: [UInt8]] = [:]
    // What was written here can be read here.
    try? JSONParser.read(json) { root in
        guard let object = root.object else { return }
        for member in object {
            var writer = JSONWriter()
            writer.value(member.value)
            members[member.name.string] = writer.finish()
        }
    }
    return members
}
