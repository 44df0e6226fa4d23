/// The result of a merge: the counts of changed records, and the conflicts that were left as people
/// have them.
public struct MergeReport: Hashable, Sendable {
    /// The most conflicts that are listed; further ones are only counted.
    static let conflictsKept = 10_000

    /// The number of records of a kind, such as `room`, that were added, changed or removed.
    public struct Counts: Hashable, Sendable {
        public var added = 0
        public var changed = 0
        public var removed = 0

        public init() {}
    }

    /// By kind; kinds without changes are missing.
    public internal(set) var counts: [String: Counts] = [:]
    public internal(set) var conflicts: [MergeConflict] = []
    public internal(set) var conflictCount = 0

    public init() {}

    mutating func add(_ conflict: MergeConflict) {
        conflictCount += 1
        if conflicts.count < Self.conflictsKept { conflicts.append(conflict) }
    }
}

/// A difference that the file and people both made since the last import. The site keeps what
/// people have.
public struct MergeConflict: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The file and people changed the field to different values.
        case bothChanged = "both-changed"
        /// The file no longer has the record, but people have changed it.
        case removedInFile = "removed-in-file"
        /// The file no longer has the record, but another record names it.
        case stillNamed = "still-named"
        /// The file has changed the record, but people have removed it.
        case removedByPeople = "removed-by-people"
        /// The file's version of the record names a record that people have removed.
        case namesRemoved = "names-removed"
    }

    public var reason: Reason
    /// Such as `room`; `site` for the document itself.
    public var kind: String
    public var id: String
    /// Nil for the record as a whole.
    public var field: String?
    /// The file's value, shortened; nil if the file has none.
    public var inFile: String?
    /// The site's value, shortened; nil if the site has none.
    public var kept: String?

    public init(
        reason: Reason, kind: String, id: String, field: String? = nil, inFile: String? = nil,
        kept: String? = nil
    ) {
        self.reason = reason
        self.kind = kind
        self.id = id
        self.field = field
        self.inFile = inFile
        self.kept = kept
    }
}
