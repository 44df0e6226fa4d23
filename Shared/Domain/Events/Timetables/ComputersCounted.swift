/// The free computers of a room, as a source says (topic `availability`, key `site/feed/room`).
///
/// Zero and unknown are different: `available` is nil where the source has not answered, or has
/// no number.
public struct ComputersCounted: Hashable, Sendable {
    public var site: SiteID
    public var feed: FeedID
    public var room: RoomID
    /// Nil where the number is unknown since `asOf`.
    public var available: Int?
    /// All computers of the room; nil where the source does not say.
    public var total: Int?
    /// The time to which the numbers belong, or from which they are unknown.
    public var asOf: Timestamp

    public init(
        site: SiteID, feed: FeedID, room: RoomID, available: Int?, total: Int?, asOf: Timestamp
    ) {
        self.site = site
        self.feed = feed
        self.room = room
        self.available = available
        self.total = total
        self.asOf = asOf
    }
}
