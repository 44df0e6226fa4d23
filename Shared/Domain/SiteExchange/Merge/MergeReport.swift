/// What a merge took from a file, and what it left as people have it.
public struct MergeReport: Hashable, Sendable {
    /// Conflicts that are listed; the rest is only counted.
    static let conflictsKept = 10_000

    /// How many records of a kind, such as `room`, were added, changed or removed.
    public struct Counts: Hashable, Sendable {
        public var added = 0
        public var changed = 0
        public var removed = 0

        public init() {}
    }

    /// By kind; kinds of which nothing changed are absent.
    public internal(set) var counts: [String: Counts] = [:]
    public internal(set) var conflicts: [MergeConflict] = []
    public internal(set) var conflictCount = 0

    public init() {}

    mutating func add(_ conflict: MergeConflict) {
        conflictCount += 1
        if conflicts.count < Self.conflictsKept { conflicts.append(conflict) }
    }
}

/// Something that both the file and people changed since the last import, each in another way. It
/// stays as people have it.
public struct MergeConflict: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Both have another value than before.
        case bothChanged = "both-changed"
        /// The file no longer has it, and people have changed it.
        case removedInFile = "removed-in-file"
        /// The file no longer has it, and something that stays names it.
        case stillNamed = "still-named"
        /// The file has changed it, and people have removed it.
        case removedByPeople = "removed-by-people"
        /// What the file says of it names something that people have removed.
        case namesRemoved = "names-removed"
    }

    public var reason: Reason
    /// Such as `room`; `site` for the document itself.
    public var kind: String
    public var id: String
    /// Nil for the record as a whole.
    public var field: String?
    /// What the file says, shortened; nil where it says nothing.
    public var inFile: String?
    /// What people have, shortened; nil where they have nothing.
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
