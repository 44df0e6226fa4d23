/// A room, or several that are used as one, is taken from one time to another.
///
/// It is one instance: a lecture every week gives a booking for each week. Its id follows from the
/// feed and from the instance there, so that the same instance read again has the same id.
public struct RoomBooking: Hashable, Sendable {
    public var site: SiteID
    /// A UUID of version 5, made of the site, the feed and the instance's own id.
    public var id: EventID
    public var feed: FeedID
    /// At least one, sorted. A booking of combined rooms names each of them.
    public var rooms: [RoomID]
    public var starts: Timestamp
    /// Later than `starts`.
    public var ends: Timestamp
    /// Whether the source has dates and no times. `starts` and `ends` are midnights then, in the
    /// building's zone.
    public var isAllDay: Bool
    /// The title in the words of the source; empty where it has none.
    public var title: String
    /// The kind in the words of the source, such as "Practical".
    public var kind: String?
    /// Organisers, teachers and attendees; empty unless the feed's setting asks for them.
    public var people: [String]
    /// Whether the source says that it is not certain yet.
    public var isTentative: Bool

    public init(
        site: SiteID, id: EventID, feed: FeedID, rooms: [RoomID], starts: Timestamp,
        ends: Timestamp, isAllDay: Bool = false, title: String, kind: String? = nil,
        people: [String] = [], isTentative: Bool = false
    ) {
        self.site = site
        self.id = id
        self.feed = feed
        self.rooms = rooms
        self.starts = starts
        self.ends = ends
        self.isAllDay = isAllDay
        self.title = title
        self.kind = kind
        self.people = people
        self.isTentative = isTentative
    }
}
