/// One occurrence of an event: a single event, or one instance of a recurring event.
public struct CalendarInstance: Hashable, Sendable {
    public enum Status: Hashable, Sendable { case confirmed, tentative, cancelled }

    public var uid: String
    /// The original start of an instance of a recurring event: `20260329T090000Z`, or `20260329`
    /// if the event is all-day. Empty for a single event.
    public var recurrence: String
    /// Microseconds in UTC since 1970. An all-day instance begins and ends at midnight in the zone
    /// of floating times.
    public var startMicroseconds: Int64
    public var endMicroseconds: Int64
    public var isAllDay: Bool
    public var summary: String
    public var location: String?
    /// The first hundred.
    public var categories: [String]
    public var status: Status
    /// The organizer's name (CN). Without one it is the address as written, mostly `mailto:...`.
    public var organizer: String?
    /// The same of each attendee, of a hundred at most.
    public var attendees: [String]
    /// Whether the event leaves its time free (TRANSP:TRANSPARENT).
    public var isTransparent: Bool
    public var sequence: Int
    public var url: String?
    /// The line of the feed in which its event begins; 0 for an instance of no feed.
    public var line: Int

    public init(
        uid: String, recurrence: String = "", startMicroseconds: Int64, endMicroseconds: Int64,
        isAllDay: Bool = false, summary: String = "", location: String? = nil,
        categories: [String] = [], status: Status = .confirmed, organizer: String? = nil,
        attendees: [String] = [], isTransparent: Bool = false, sequence: Int = 0,
        url: String? = nil, line: Int = 0
    ) {
        self.uid = uid
        self.recurrence = recurrence
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
        self.isAllDay = isAllDay
        self.summary = summary
        self.location = location
        self.categories = categories
        self.status = status
        self.organizer = organizer
        self.attendees = attendees
        self.isTransparent = isTransparent
        self.sequence = sequence
        self.url = url
        self.line = line
    }
}
