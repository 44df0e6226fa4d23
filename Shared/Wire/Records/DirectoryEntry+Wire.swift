import Events
public import JSON
public import Site

extension DirectoryEntry: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("kind", kind)
        writer.field("name", name)
        writer.translations(names)
        if let parent { writer.field("parent", parent) }
        writer.listUnlessEmpty("places", places)
        if let openingHours { writer.field("openingHours", openingHours) }
        if let website { writer.field("website", website) }
        if let telephone { writer.field("telephone", telephone) }
        writer.endObject()
    }
}

extension DirectoryEntry {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(),
            kind: try fields.required("kind").text(maximumBytes: 256),
            name: try fields.required("name").text(), names: try fields.translations(),
            parent: try fields.optional("parent")?.identifier(),
            places: try fields.elements("places", PlaceReference.init),
            openingHours: try fields.optional("openingHours")?.text(),
            website: try fields.optional("website")?.text(),
            telephone: try fields.optional("telephone")?.text(maximumBytes: 256))
    }
}
