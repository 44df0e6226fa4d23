import Events
internal import JSON
public import Site

extension DraftValue {
    /// The record, or the site without records, as it is stored.
    public var json: [UInt8] {
        switch self {
        case .record(let record): (record as? any SiteRecordWire)?.json ?? []
        case .site(let site): site.json
        }
    }

    /// Reads what `json` gave.
    public init(json: [UInt8], of thing: DraftThing) throws(WireFault) {
        guard case .record(let thing) = thing else {
            self = .site(try SiteDocument(json: json))
            return
        }
        guard let type = RecordKind.written.first(where: { $0.kind.name == thing.kind }) else {
            throw WireFault(.fieldOutOfRange, "no kind of record is called \(thing.kind)")
        }
        self = .record(try RecordKind.read(json, type))
    }
}

extension RecordKind {
    /// Reads a record that somebody sent, with the id of its thing.
    public static func sent(
        _ body: [UInt8], as thing: SiteThing, in document: SiteDocument
    ) throws(WireFault) -> any SiteRecord {
        let type = try written(thing)
        return try read(try normalised(body, as: thing, type, in: document), type)
    }

    fileprivate static func read<Record: SiteRecordWire>(
        _ json: [UInt8], _: Record.Type
    ) throws(WireFault) -> any SiteRecord {
        let record = try Record(json: json)
        return record
    }

    /// A record after a patch that somebody sent, and the members that the patch touches.
    public static func patched(
        _ record: any SiteRecord, with patch: [UInt8], in document: SiteDocument
    ) throws -> (record: any SiteRecord, members: Set<String>) {
        func patched<Record: SiteRecordWire>(
            _ record: Record, _ patch: [UInt8]
        ) throws -> any SiteRecord { try record.patched(with: patch) }
        let type = try written(record.thing)
        let patch = try normalised(patch, as: record.thing, type, in: document)
        guard let record = record as? any SiteRecordWire else { throw unwritten(record.thing) }
        return (
            try patched(record, patch),
            DraftMembers.touched(of: record.thing.kind, try named(in: patch))
        )
    }

    private static func written(_ thing: SiteThing) throws(WireFault) -> any SiteRecordWire.Type {
        guard let type = written.first(where: { $0.kind.name == thing.kind }) else {
            throw unwritten(thing)
        }
        return type
    }

    private static func unwritten(_ thing: SiteThing) -> WireFault {
        WireFault(.fieldOutOfRange, path: "kind", "no kind of record is called \(thing.kind)")
    }

    private static func normalised(
        _ body: [UInt8], as thing: SiteThing, _ type: any SiteRecordWire.Type,
        in document: SiteDocument
    ) throws(WireFault) -> [UInt8] {
        let normalised = try SiteInput(frame: document.frame).normalised(
            body, as: thing.id, under: type.kind.key.member)
        try type.checkMembers(of: normalised)
        return normalised
    }

    /// The members that a patch names; of an object in it, also the members of that.
    fileprivate static func named(in patch: [UInt8]) throws(WireFault) -> Set<String> {
        try withJSON(patch) { (root) throws(WireFault) in
            var names: Set<String> = []
            for member in root.object.map(Array.init) ?? [] {
                let name = member.name.string
                let inner = member.value.object.map(Array.init) ?? []
                if inner.isEmpty { names.insert(name) }
                for part in inner { names.insert("\(name)/\(part.name.string)") }
            }
            return names
        }
    }
}

extension SiteDocument {
    /// The document after a patch of the site itself, and the members that the patch touches. Its
    /// records are edited one by one, so a patch can't name them.
    public func patchedItself(
        with patch: [UInt8]
    ) throws -> (document: SiteDocument, members: Set<String>) {
        try withJSON(patch) { (root) throws(WireFault) -> Void in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            try object.checkMembers(Set(SiteDocument.fields.map(\.name)))
            if let rules = object["accessPoints"]?.object, rules["places"] != nil {
                throw WireFault(
                    .fieldUnknown, path: "accessPoints.places",
                    "edit these as records of the kind access-point-places")
            }
        }
        var head = bare
        head.surveyDiscards = surveyDiscards
        head = try head.patched(with: patch)
        var patched = self
        for field in SiteDocument.fields { field.copy(head, &patched) }
        return (
            patched,
            DraftMembers.touched(of: DraftThing.site.kind, try RecordKind.named(in: patch))
        )
    }
}
