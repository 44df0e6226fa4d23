/// The result of an import: the number of records of each kind, and notes about everything that was
/// left out or guessed.
public struct ImportReport: Hashable, Sendable {
    /// The most notes that are kept, so that no file fills the memory. Further ones are only
    /// counted.
    public static let notesKept = 10_000

    /// The number of records of each kind, such as `rooms`. Kinds without any may be missing.
    public private(set) var counts: [String: Int] = [:]
    /// In the order in which they were found.
    public private(set) var notes: [ImportNote] = []
    /// The number of notes of each sort, with those that were not kept.
    public private(set) var noteCounts: [ImportNote.What: Int] = [:]

    public init() {}

    public var noteCount: Int { noteCounts.values.reduce(0, +) }

    /// Adds the notes that `copy` has and `earlier` does not. The copy began as the earlier state.
    mutating func append(notesOf copy: ImportReport, after earlier: ImportReport) {
        for note in copy.notes.dropFirst(earlier.notes.count) {
            self.note(note.id, note.what, note.detail)
        }
    }

    /// Adds to the number of records of a kind.
    public mutating func count(_ kind: String, _ number: Int = 1) {
        counts[kind, default: 0] += number
    }

    public mutating func note(_ id: String, _ what: ImportNote.What, _ detail: String) {
        noteCounts[what, default: 0] += 1
        guard notes.count < Self.notesKept else { return }
        notes.append(ImportNote(id: id, what: what, detail: detail))
    }
}

/// One thing that an import left out, changed or guessed.
public struct ImportNote: Hashable, Sendable {
    /// A stable word for programs, such as `dangling-reference`. Each format has its own.
    public struct What: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The id of the thing in the file, such as `w123`.
    public var id: String
    public var what: What
    public var detail: String

    public init(id: String, what: What, detail: String) {
        self.id = id
        self.what = what
        self.detail = detail
    }
}
