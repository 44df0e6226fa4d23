/// A thing that an edit of a draft changes: one of its records, or the site itself. All that is in
/// no list of records belongs to the site itself.
public enum DraftThing: Hashable, Sendable {
    case record(SiteThing)
    case site

    /// The name of the record's kind, such as `floor-plan`; `site` for the site itself.
    public var kind: String {
        switch self {
        case .record(let thing): thing.kind
        case .site: Self.siteKind
        }
    }

    /// The record's id; empty for the site itself.
    public var id: String {
        switch self {
        case .record(let thing): thing.id
        case .site: ""
        }
    }

    /// The segment of URL paths for the kind, such as `floor-plans`.
    public var path: String {
        switch self {
        case .record(let thing): RecordKind.named(thing.kind)?.kind.path ?? thing.kind
        case .site: Self.siteKind
        }
    }

    /// Nil for a kind that no release knows, or an id that the kind can't have.
    public init?(kind: String, id: String) {
        guard kind != Self.siteKind else {
            self = .site
            return
        }
        guard let thing = RecordKind.named(kind)?.kind.thing(named: id) else { return nil }
        self = .record(thing)
    }

    static let siteKind = "site"
}

extension RecordKind {
    /// The records of a kind by its name, such as `floor-plan`.
    public static func named(_ name: String) -> (any SiteRecord.Type)? {
        all.first { $0.kind.name == name }
    }

    /// The records of a kind by its segment of URL paths, such as `floor-plans`.
    public static func pathed(_ path: String) -> (any SiteRecord.Type)? {
        all.first { $0.kind.path == path }
    }
}

/// A thing as it was before or after an edit.
public enum DraftValue: Sendable {
    case record(any SiteRecord)
    /// The site without records. It has only those discards of surveys that the edit added or took
    /// away, since a site may have thousands.
    case site(SiteDocument)

    func isSame(as other: DraftValue) -> Bool {
        switch (self, other) {
        case (.record(let one), .record(let other)): one.isSame(as: other)
        case (.site(let one), .site(let other)): one == other
        case (.record, .site), (.site, .record): false
        }
    }
}

extension SiteRecord {
    public func isSame(as other: any SiteRecord) -> Bool { (other as? Self) == self }
}

extension SiteDocument {
    /// The record of any kind; nil where there is none.
    public func anyRecord(_ thing: SiteThing) -> (any SiteRecord)? {
        func found<Record: SiteRecord>(_: Record.Type) -> (any SiteRecord)? {
            let record: Record? = record(thing)
            return record
        }
        return RecordKind.named(thing.kind).flatMap { found($0) }
    }

    /// The site itself, without its records and its discards of surveys.
    public var bare: SiteDocument {
        var bare = SiteDocument(
            name: name, names: names, attribution: attribution, originLatitude: originLatitude,
            originLongitude: originLongitude, bearingDegrees: bearingDegrees, outline: outline,
            accessPoints: accessPoints)
        bare.borrows = borrows
        bare.audience = audience
        bare.linkSecret = linkSecret
        return bare
    }
}
