import Events
public import JSON
public import Site

extension ContentRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.name("place")
        place.write(to: &writer)
        writer.field("title", title)
        writer.translations(titles, "titles")
        if let text { writer.field("text", text) }
        writer.translations(texts, "texts")
        writer.listUnlessEmpty("audio", audio)
        writer.listUnlessEmpty("pictures", pictures)
        writer.listUnlessEmpty("videos", videos)
        writer.endObject()
    }
}

extension ContentRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(),
            place: try fields.required("place", PlaceReference.init),
            title: try fields.required("title").text(), titles: try fields.translations("titles"),
            text: try fields.optional("text")?.text(maximumBytes: longTextBytes),
            texts: try fields.translations("texts", maximumBytes: longTextBytes),
            audio: try fields.elements("audio", AudioRecord.init),
            pictures: try fields.elements("pictures", PictureRecord.init),
            videos: try fields.elements("videos", MediaReference.init))
    }
}

/// UTF-8 bytes that are read of a text; what a site may hold is for the domain to say.
private let longTextBytes = 65_536

extension AudioRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("level", level)
        if let language { writer.field("language", language) }
        writer.name("media")
        media.write(to: &writer)
        writer.endObject()
    }
}

extension AudioRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            level: try fields.required("level").integer(in: 1...3),
            language: try fields.optional("language")?.text(maximumBytes: 64),
            media: try fields.required("media", MediaReference.init))
    }
}

extension PictureRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("media")
        media.write(to: &writer)
        if let caption { writer.field("caption", caption) }
        writer.translations(captions, "captions")
        writer.endObject()
    }
}

extension PictureRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            media: try fields.required("media", MediaReference.init),
            caption: try fields.optional("caption")?.text(),
            captions: try fields.translations("captions"))
    }
}
