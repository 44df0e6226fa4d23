/// The sorts of note that an import of IMDF makes about features left out, changed or guessed.
enum IMDFNote {
    static let danglingReference = ImportNote.What(rawValue: "dangling-reference")
    static let duplicateIdentifier = ImportNote.What(rawValue: "duplicate-id")
    static let malformedIdentifier = ImportNote.What(rawValue: "malformed-id")
    static let malformedGeometry = ImportNote.What(rawValue: "malformed-geometry")
    static let outlineCrossesItself = ImportNote.What(rawValue: "outline-crosses-itself")
    static let tooManyPoints = ImportNote.What(rawValue: "too-many-points")
    static let partsNotKept = ImportNote.What(rawValue: "parts-not-kept")
    static let factNotKept = ImportNote.What(rawValue: "fact-not-kept")
    static let duplicateOrdinal = ImportNote.What(rawValue: "duplicate-ordinal")
    static let textShortened = ImportNote.What(rawValue: "text-shortened")
    static let liftWithoutLevels = ImportNote.What(rawValue: "lift-without-levels")
    static let doorLeadsNowhere = ImportNote.What(rawValue: "door-leads-nowhere")
    static let oneSidedNeighbour = ImportNote.What(rawValue: "one-sided-neighbour")
    static let guessedConnection = ImportNote.What(rawValue: "guessed-connection")
}
