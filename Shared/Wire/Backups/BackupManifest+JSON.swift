internal import Events
internal import JSON

extension BackupManifest {
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.field("form", form)
        writer.field("name", name)
        writer.field("kind", kind.rawValue)
        writer.field("program", program)
        writer.field("log", log)
        writer.field("partitions", partitions)
        writer.field("hasScans", hasScans)
        writer.field("tablesAt", tablesAt)
        writer.field("recordsAt", recordsAt)
        writer.field("finishedAt", finishedAt)
        writer.list("retentions", retentions.sorted { $0.key < $1.key }) { retention, writer in
            writer.field("topic", retention.key)
            writer.field("seconds", retention.value)
        }
        writer.list("schemas", schemas) { schema, writer in
            writer.field("name", schema.name)
            writer.texts("steps", schema.steps)
        }
        writer.list("tables", tables) { table, writer in
            writer.field("name", table.name)
            writer.texts("columns", table.columns)
            writer.field("rows", table.rows)
            writer.files(table.files)
        }
        writer.list("sequences", sequences) { sequence, writer in
            writer.field("name", sequence.name)
            writer.field("last", sequence.last)
        }
        writer.list("topics", topics) { topic, writer in
            writer.field("name", topic.name)
            writer.field("records", topic.records)
            writer.files(topic.files)
        }
        writer.list("groups", groups) { group, writer in
            writer.field("name", group.name)
            writer.field("topic", group.topic)
            writer.name("offsets")
            writer.beginArray()
            for offset in group.offsets { writer.integer(offset) }
            writer.endArray()
        }
        writer.endObject()
        return writer.finish()
    }

    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a manifest is an object")
            }
            return try Self(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        let form = try fields.required("form").integer(in: 1...Int.max)
        guard form == Self.presentForm else {
            throw WireFault(.fieldOutOfRange, path: "form", "a newer release made this backup")
        }
        self.init(
            name: try fields.required("name").text(), kind: try fields.required("kind").choice(),
            program: try fields.required("program").text(),
            log: try fields.required("log").text(),
            partitions: try fields.required("partitions").integer(in: 1...1_000),
            hasScans: try fields.required("hasScans").bool(),
            tablesAt: try fields.required("tablesAt").time(),
            recordsAt: try fields.required("recordsAt").time(),
            finishedAt: try fields.required("finishedAt").time())
        let kept = try fields.elements("retentions") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return (try fields.required("topic").text(), try fields.count("seconds"))
        }
        retentions = Dictionary(kept) { $1 }
        schemas = try fields.elements("schemas") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return Schema(
                name: try fields.required("name").text(), steps: try fields.texts("steps"))
        }
        tables = try fields.elements("tables") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return Table(
                name: try fields.required("name").text(), columns: try fields.texts("columns"),
                rows: try fields.count("rows"), files: try fields.files())
        }
        sequences = try fields.elements("sequences") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return Sequence(
                name: try fields.required("name").text(),
                last: try fields.required("last").integer(in: 0...Int.max))
        }
        topics = try fields.elements("topics") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return TopicContent(
                name: try fields.required("name").text(), records: try fields.count("records"),
                files: try fields.files())
        }
        groups = try fields.elements("groups") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return Group(
                name: try fields.required("name").text(),
                topic: try fields.required("topic").text(),
                offsets: try fields.elements("offsets") { value throws(WireFault) in
                    Int64(try value.integer(in: 0...Int.max))
                })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func list<Element>(
        _ name: StaticString, _ elements: [Element],
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements {
            beginObject()
            write(element, &self)
            endObject()
        }
        endArray()
    }

    fileprivate mutating func texts(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    fileprivate mutating func files(_ files: [BackupManifest.File]) {
        list("files", files) { file, writer in
            writer.field("name", file.name)
            writer.field("bytes", file.bytes)
            writer.field("sha256", file.sum)
        }
    }
}

extension FieldReader {
    /// The most rows, records, bytes or seconds of one thing. All of a manifest can be added.
    private static let mostCounted = 1 << 40

    fileprivate func texts(_ name: StaticString) throws(WireFault) -> [String] {
        try elements(name) { value throws(WireFault) in try value.text() }
    }

    fileprivate func count(_ name: StaticString) throws(WireFault) -> Int {
        try required(name).integer(in: 0...Self.mostCounted)
    }

    fileprivate func files() throws(WireFault) -> [BackupManifest.File] {
        try elements("files") { value throws(WireFault) in
            let fields = try FieldReader(value)
            return BackupManifest.File(
                name: try fields.required("name").text(), bytes: try fields.count("bytes"),
                sum: try fields.required("sha256").text())
        }
    }
}
