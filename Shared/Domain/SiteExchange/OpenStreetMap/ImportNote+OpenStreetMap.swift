extension ImportNote.What {
    // What was left out.
    static let danglingReference = Self(rawValue: "dangling-reference")
    static let coordinateOutOfRange = Self(rawValue: "coordinate-out-of-range")
    static let duplicateIdentifier = Self(rawValue: "duplicate-id")
    static let malformedIdentifier = Self(rawValue: "malformed-id")
    static let unknownLevel = Self(rawValue: "unknown-level")
    static let outlineCrossesItself = Self(rawValue: "outline-crosses-itself")
    static let tooFewPoints = Self(rawValue: "too-few-points")
    static let tooManyPoints = Self(rawValue: "too-many-points")
    static let liftWithoutLevels = Self(rawValue: "lift-without-levels")
    static let doorLeadsNowhere = Self(rawValue: "door-leads-nowhere")
    static let holeNotKept = Self(rawValue: "hole-not-kept")
    static let notListed = Self(rawValue: "not-listed")
    // What had to be guessed.
    static let guessedDoor = Self(rawValue: "guessed-door")
    static let guessedLevel = Self(rawValue: "guessed-level")
    static let guessedDirection = Self(rawValue: "guessed-direction")
    /// The public is kept out; it is in the site and never open.
    static let closedToThePublic = Self(rawValue: "closed-to-the-public")
}
