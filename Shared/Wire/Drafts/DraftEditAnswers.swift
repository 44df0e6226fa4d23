public import Events
public import JSON
public import Site

/// Somebody who edited a draft.
public struct DraftEditor: Hashable, Sendable {
    /// The name of a person who is not known any more, or never was.
    public static let unknownName = "somebody"

    /// A token, or an account after `account/`; nil where nobody knows it.
    public var id: String?
    public var name: String

    public init(id: String?, name: String?) {
        self.id = id
        self.name = name ?? Self.unknownName
    }

    func write(to writer: inout JSONWriter) {
        writer.name("by")
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.endObject()
    }
}

/// The reason why an edit was not made, as the member of an answer or as an answer of its own.
public struct RefusedDraftEdit: Sendable {
    /// The state after somebody else edited the same record.
    public struct Theirs: Sendable {
        /// The record as it is now; nil where it is gone.
        public var value: DraftValue?
        public var by: DraftEditor?
        public var at: Timestamp?

        public init(value: DraftValue?, by: DraftEditor?, at: Timestamp?) {
            (self.value, self.by, self.at) = (value, by, at)
        }
    }

    public var status: Int
    public var code: String
    public var title: String
    public var detail: String
    /// Nil where the request names no record.
    public var thing: DraftThing?
    public var theirs: Theirs?
    /// The records that still name the one to be removed.
    public var dependents: [SiteThing] = []

    /// The most dependents that are listed.
    private static let mostListed = 100

    public init(
        status: Int, code: String, title: String, detail: String, thing: DraftThing?,
        theirs: Theirs? = nil, dependents: [SiteThing] = []
    ) {
        (self.status, self.code, self.title, self.detail) = (status, code, title, detail)
        (self.thing, self.theirs, self.dependents) = (thing, theirs, dependents)
    }

    /// As a problem (RFC 9457) with further members.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("type", "urn:whereabouts:problem:\(code)")
        writer.field("title", title)
        writer.field("status", status)
        writer.field("detail", detail)
        writer.field("code", code)
        if let thing { thing.writeMembers(to: &writer) }
        if let theirs {
            writer.name("theirs")
            if let value = theirs.value { writer.raw(json: value.json) } else { writer.null() }
            theirs.by?.write(to: &writer)
            writer.field("at", microseconds: theirs.at?.microseconds)
        }
        if !dependents.isEmpty {
            writer.array("dependents", dependents.prefix(Self.mostListed)) { $0.write(to: &$1) }
        }
        writer.endObject()
    }
}

extension DraftThing {
    /// `"kind": "rooms", "record": "7.01"`, as edits name it.
    func writeMembers(to writer: inout JSONWriter) {
        writer.field("kind", path)
        if case .record(let thing) = self { writer.field("record", thing.id) }
    }
}

/// The outcome of one edit of a request.
public struct DraftEditResult: Sendable {
    public enum Outcome: Sendable {
        /// The draft's revision with the edit; where it changes nothing, that without it.
        case made(revision: Int)
        case refused(RefusedDraftEdit)
    }

    public var id: EventID
    public var outcome: Outcome

    public init(id: EventID, _ outcome: Outcome) { (self.id, self.outcome) = (id, outcome) }

    public var isRefused: Bool {
        if case .refused = outcome { true } else { false }
    }
}

/// The answers to edits of a draft.
public enum DraftEditAnswer {
    /// `{"revision", "results": [{"id", "revision"} | {"id", "refused"}]}`.
    public static func json(revision: Int, _ results: [DraftEditResult]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("revision", revision)
        writer.array("results", results) { result, writer in
            writer.beginObject()
            writer.field("id", result.id.description)
            switch result.outcome {
            case .made(let revision): writer.field("revision", revision)
            case .refused(let refusal):
                writer.name("refused")
                refusal.write(to: &writer)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }

    /// `{"revision", "undoes"}`.
    public static func undone(revision: Int, undoes: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("revision", revision)
        writer.field("undoes", undoes)
        writer.endObject()
        return writer.finish()
    }
}

/// An edit of the journal, as lists and streams show it.
public struct ListedDraftEdit: Listed, Sendable {
    public static var listName: StaticString { "edits" }
    /// The most changed things that are listed of one edit; an import may change thousands.
    public static let mostChanged = 100

    public var revision: Int
    public var id: EventID
    public var at: Timestamp
    public var by: DraftEditor
    public var action: DraftAction
    /// The record that its editor named; the site itself where it was about several.
    public var thing: DraftThing
    /// The record's name, after the edit.
    public var name: String?
    /// The revision of the edit that this one undid.
    public var undoes: Int?
    /// How many things it changed.
    public var changedCount: Int
    /// These things, `mostChanged` at most.
    public var changed: [DraftThing]

    public init(
        revision: Int, id: EventID, at: Timestamp, by: DraftEditor, action: DraftAction,
        thing: DraftThing, name: String?, undoes: Int?, changedCount: Int, changed: [DraftThing]
    ) {
        (self.revision, self.id, self.at, self.by) = (revision, id, at, by)
        (self.action, self.thing, self.name, self.undoes) = (action, thing, name, undoes)
        (self.changedCount, self.changed) = (changedCount, changed)
    }

    public var cursor: String? { String(revision) }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("revision", revision)
        writer.field("id", id.description)
        writer.field("at", microseconds: at.microseconds)
        by.write(to: &writer)
        writer.field("do", action.rawValue)
        thing.writeMembers(to: &writer)
        writer.field("name", name)
        writer.field("undoes", undoes)
        writer.field("changedCount", changedCount)
        writer.array("changed", changed.prefix(Self.mostChanged)) { thing, writer in
            writer.beginObject()
            thing.writeMembers(to: &writer)
            writer.endObject()
        }
    }
}
