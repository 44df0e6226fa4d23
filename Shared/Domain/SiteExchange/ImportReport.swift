/// What an import made of a file: how many of each kind, and what it left out or had to guess.
public struct ImportReport: Hashable, Sendable {
    /// Notes that are kept; the rest is only counted, so that no file can fill the memory.
    public static let notesKept = 10_000

    /// How many of each kind, such as `rooms`, are in the site; kinds without any may be absent.
    public private(set) var counts: [String: Int] = [:]
    /// In the order in which they were found.
    public private(set) var notes: [ImportNote] = []
    /// How many notes there are of each sort, also of those that were not kept.
    public private(set) var noteCounts: [ImportNote.What: Int] = [:]

    public init() {}

    public var noteCount: Int { noteCounts.values.reduce(0, +) }

    /// Adds the notes that a copy of an earlier state of this report has gained since.
    mutating func append(notesOf copy: ImportReport, after earlier: ImportReport) {
        for note in copy.notes.dropFirst(earlier.notes.count) {
            self.note(note.id, note.what, note.detail)
        }
    }

    /// Counts more of a kind.
    public mutating func count(_ kind: String, _ number: Int = 1) {
        counts[kind, default: 0] += number
    }

    public mutating func note(_ id: String, _ what: ImportNote.What, _ detail: String) {
        noteCounts[what, default: 0] += 1
        guard notes.count < Self.notesKept else { return }
        notes.append(ImportNote(id: id, what: what, detail: detail))
    }
}

/// One thing that an import left out of the site, changed, or had to guess.
public struct ImportNote: Hashable, Sendable {
    /// A stable word for programs, such as `dangling-reference`. Each format adds its own.
    public struct What: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The thing's id in the file, such as `w123`.
    public var id: String
    public var what: What
    /// One sentence for people.
    public var detail: String

    public init(id: String, what: What, detail: String) {
        self.id = id
        self.what = what
        self.detail = detail
    }
}
