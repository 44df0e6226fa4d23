extension ImportNote.What {
    // Sorts of note about things that were left out.
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
    // Sorts of note about things that were guessed.
    static let guessedDoor = Self(rawValue: "guessed-door")
    static let guessedLevel = Self(rawValue: "guessed-level")
    static let guessedDirection = Self(rawValue: "guessed-direction")
    /// The way is in the site but never open, since the public may not use it.
    static let closedToThePublic = Self(rawValue: "closed-to-the-public")
}
