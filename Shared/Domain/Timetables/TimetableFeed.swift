public import Events
public import Site

/// The form in which a feed has its bookings or numbers.
public enum FeedKind: String, Hashable, Sendable, CaseIterable {
    /// iCalendar (RFC 5545).
    case calendar = "icalendar"
    /// A page with a grid of half-hours, or with a row for each booking.
    case table = "html-table"
    /// A form that answers with a grid, as that of the Bush House report.
    case form = "web-form"
    case computersJSON = "free-computers-json"
    case computersHTML = "free-computers-html"

    /// Whether it counts free computers; the others have bookings.
    public var countsComputers: Bool { self == .computersJSON || self == .computersHTML }

    private static let pathsOfPages: Set = [
        "table", "weeks", "place", "rows", "title", "date", "start", "end", "room", "kind", "id",
    ]

    /// The names of its paths.
    public var pathNames: Set<String> {
        switch self {
        case .calendar: []
        case .table: Self.pathsOfPages
        case .form: Self.pathsOfPages.union(["form"])
        case .computersJSON, .computersHTML: ["rooms", "name", "free", "total"]
        }
    }
}

/// A source of bookings or of free computers, as an administrator has set it up.
public struct TimetableFeed: Hashable, Sendable {
    /// A choice, or a text to fill in, for a field of a web form.
    public struct FormField: Hashable, Sendable {
        public var name: String
        /// Values or, for a choice, what people read there; several where several are chosen.
        public var values: [String]

        public init(name: String, values: [String]) {
            self.name = name
            self.values = values
        }
    }

    public var site: SiteID
    public var id: FeedID
    public var kind: FeedKind
    /// The address; it may hold a user, a password and secrets in its query.
    public var address: String
    /// For people.
    public var name: String
    public var isEnabled: Bool
    public var schedule: FeedSchedule
    /// The only building whose rooms count.
    public var building: BuildingID?
    /// The room of all bookings.
    public var room: RoomID?
    public var patterns: [RoomPattern]
    public var keepsPeople: Bool
    /// The IANA zone of times without one. Nil for that of the building.
    public var timeZone: String?
    /// Where the kind finds its parts, by the part's name.
    public var paths: [String: String]
    public var form: [FormField]

    public init(
        site: SiteID, id: FeedID, kind: FeedKind, address: String, name: String,
        isEnabled: Bool = true, schedule: FeedSchedule = FeedSchedule(),
        building: BuildingID? = nil, room: RoomID? = nil, patterns: [RoomPattern] = [],
        keepsPeople: Bool = false, timeZone: String? = nil, paths: [String: String] = [:],
        form: [FormField] = []
    ) {
        self.site = site
        self.id = id
        self.kind = kind
        self.address = address
        self.name = name
        self.isEnabled = isEnabled
        self.schedule = schedule
        self.building = building
        self.room = room
        self.patterns = patterns
        self.keepsPeople = keepsPeople
        self.timeZone = timeZone
        self.paths = paths
        self.form = form
    }

    /// The zone of times without one: the feed's own, its building's, that of its room, or that of
    /// the site's first building.
    public func zone(in site: SiteDocument) -> String {
        if let timeZone { return timeZone }
        var building = building
        if building == nil, let room, let record = site.rooms.first(where: { $0.id == room }) {
            building = site.floors.first { $0.id == record.floor }?.building
        }
        let record = site.buildings.first { building == nil || $0.id == building }
        return (record ?? site.buildings.first)?.timeZone ?? "UTC"
    }
}
