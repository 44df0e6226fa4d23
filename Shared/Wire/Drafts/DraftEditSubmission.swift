public import Events
internal import JSON
public import Site

/// Edits of a draft that somebody sends: the body of `POST /v1/sites/{site}/draft/edits`.
public struct DraftEditSubmission: Sendable {
    /// The most edits of one request.
    public static let mostEdits = 500

    public var edits: [SubmittedDraftEdit]
    /// Whether all edits are made or none.
    public var isTogether: Bool

    /// Reads `{"edits": [{"id", "do", "kind", "record"?, "value"?, "cascade"?, "basedOn"?}],
    /// "together"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        (edits, isTogether) = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            try object.checkMembers(["edits", "together"])
            let fields = FieldReader(object)
            let list = try fields.required("edits")
            if let count = list.json.array?.count, !(1...Self.mostEdits).contains(count) {
                throw WireFault(
                    .draftEditsOutOfRange, path: "edits",
                    "1 to \(Self.mostEdits) edits are expected")
            }
            let edits = try list.elements { (value) throws(WireFault) in
                try SubmittedDraftEdit(value)
            }
            return (edits, try fields.optional("together")?.bool() ?? false)
        }
    }
}

/// One edit of a draft, as its sender wrote it.
public struct SubmittedDraftEdit: Sendable {
    public enum Action: Sendable {
        /// The complete record, as JSON.
        case put([UInt8])
        /// A JSON Merge Patch (RFC 7396).
        case patch([UInt8])
        case remove(isCascading: Bool)
    }

    /// The sender made it. The same id again changes nothing.
    public var id: EventID
    public var thing: DraftThing
    public var action: Action
    /// The draft's revision at which the sender read the record; nil for any.
    public var basedOn: Int?

    private enum Word: String, CaseIterable {
        case put, patch, remove
    }

    private static let known: Set = [
        "id", "do", "kind", "record", "value", "cascade", "basedOn",
    ]

    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        try fields.object.checkMembers(Self.known)
        id = try fields.required("id").eventID()
        basedOn = try fields.optional("basedOn")?.integer(in: 0...Int.max)
        let word: Word = try fields.required("do").choice()
        thing = try Self.thing(fields)
        if thing == .site, word != .patch {
            throw WireFault(.fieldOutOfRange, path: "do", "the site itself is only patched")
        }
        switch word {
        case .put: action = .put(try Self.object(fields.required("value")))
        case .patch: action = .patch(try Self.object(fields.required("value")))
        case .remove:
            let inner = try fields.optional("value").map { (value) throws(WireFault) in
                try FieldReader(value)
            }
            let flag = fields.optional("cascade") ?? inner?.optional("cascade")
            action = .remove(isCascading: try flag?.bool() ?? false)
        }
    }

    private static func thing(_ fields: FieldReader) throws(WireFault) -> DraftThing {
        let path = try fields.required("kind").text(maximumBytes: 64)
        let site = DraftThing.site
        if path == site.kind { return site }
        guard let kind = RecordKind.pathed(path)?.kind else {
            let known = RecordKind.all.map { $0.kind.path } + [site.kind]
            throw WireFault(
                .fieldOutOfRange, path: "kind",
                "one of \(known.sorted().joined(separator: ", ")) is expected")
        }
        let id = try fields.required("record").text(maximumBytes: 128)
        guard let thing = kind.thing(named: id) else {
            throw WireFault(.identifierMalformed, path: "record", "this can't be an id there")
        }
        return .record(thing)
    }

    private static func object(_ value: WireValue) throws(WireFault) -> [UInt8] {
        guard value.json.object != nil else {
            throw value.fault(.fieldWrongType, "an object is expected")
        }
        var writer = JSONWriter()
        writer.value(value.json)
        return writer.finish()
    }
}

/// The wish to undo an edit: the body of `POST /v1/sites/{site}/draft/undo`.
public struct DraftUndoSubmission: Sendable {
    /// The sender made it. The same id again changes nothing.
    public var id: EventID
    /// The revision of the edit; nil for the sender's last one.
    public var revision: Int?

    /// Reads `{"id", "revision"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        (id, revision) = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            try object.checkMembers(["id", "revision"])
            let fields = FieldReader(object)
            return (
                try fields.required("id").eventID(),
                try fields.optional("revision")?.integer(in: 1...Int.max)
            )
        }
    }
}
