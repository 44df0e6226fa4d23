import JSON

/// The data that is kept of a visitor, as a file to take along.
public struct KeptDataDocument: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public var what: String
        /// Since when and until when; nil for what is never kept.
        public var since: String?
        public var why: String
        public var until: String?

        public init(what: String, since: String?, why: String, until: String?) {
            self.what = what
            self.since = since
            self.why = why
            self.until = until
        }
    }

    let site: String
    let kept: [Item]

    public init(site: String, kept: [Item]) {
        self.site = site
        self.kept = kept
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.beginObject()
        writer.field("site", site)
        writer.name("kept")
        writer.beginArray()
        for item in kept {
            writer.beginObject()
            writer.field("what", item.what)
            writer.field("since", item.since)
            writer.field("why", item.why)
            writer.field("until", item.until)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
