public import Events
public import Geometry

/// Surveys of a place that no longer count, because the place was removed or its surveys were
/// cleared.
///
/// It states outlines and location ids of its own, so that it stays valid after the place is
/// removed.
public struct SurveyDiscard: Hashable, Sendable {
    /// The floor of the outline.
    public var floor: FloorID
    /// Corners in metres: surveys within it are discarded. Empty for none.
    public var outline: Ring
    /// Outlines of rooms within `outline`: surveys there, edges included, are kept.
    public var holes: [Ring]
    /// Surveys that named one of these locations are discarded.
    public var locations: [LocationID]
    /// Only surveys that arrived before this time are discarded. It is in whole milliseconds, as a
    /// document shows it: else an edit that is read from the journal would differ from the draft.
    public var before: Timestamp

    public init(
        floor: FloorID, outline: Ring, holes: [Ring] = [], locations: [LocationID],
        before: Timestamp
    ) {
        self.floor = floor
        self.outline = outline
        self.holes = holes
        self.locations = locations
        let (whole, rest) = before.microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.before = Timestamp(milliseconds: rest > 0 ? whole + 1 : whole)
    }
}
