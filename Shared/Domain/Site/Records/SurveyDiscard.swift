public import Events
public import Geometry

/// Surveys of a place that no longer count, because the place was removed or its measurements were
/// cleared.
///
/// It says where they were made in terms that outlive the place itself.
public struct SurveyDiscard: Hashable, Sendable {
    /// Surveys on this floor within the outline.
    public var floor: FloorID
    /// Metres; empty for none by point.
    public var outline: Ring
    /// But not those within one of these outlines, of rooms that lie within: edges included.
    public var holes: [Ring]
    /// Surveys that named one of these.
    public var locations: [LocationID]
    /// Surveys that arrived before; later ones count.
    public var before: Timestamp

    public init(
        floor: FloorID, outline: Ring, holes: [Ring] = [], locations: [LocationID],
        before: Timestamp
    ) {
        self.floor = floor
        self.outline = outline
        self.holes = holes
        self.locations = locations
        self.before = before
    }
}
