import Events
import Positioning

/// A building's part of a version of a radio map.
struct MadePart: Sendable {
    var announced: RadioMapAnnounced.Part
    var part: RadioMapPart
    /// The digest of what it was built from (`PartInputs`).
    var inputs: String
    /// Nil for a part that the version before has too.
    var new: New?

    /// A part that was built for this version, as it is stored.
    struct New: Sendable {
        var bytes: [UInt8]
        var notes: PartNotes
        /// All surveys of the building, and those of them that the map leaves out.
        var surveys: [EventID]
        var discarded: [EventID]
        /// Surveys whose place could not be found.
        var rejections: Int
    }
}
