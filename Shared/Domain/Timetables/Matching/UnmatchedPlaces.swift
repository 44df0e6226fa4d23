/// The places of a feed that are no rooms of the site, with the number of bookings at each.
public struct UnmatchedPlaces: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
        public enum Reason: String, Hashable, Sendable, CaseIterable {
            /// No room has this id or name.
            case unknown
            /// Several rooms have this name.
            case ambiguous
        }

        public var text: String
        public var reason: Reason
        public var bookings: Int

        public init(text: String, reason: Reason, bookings: Int) {
            self.text = text
            self.reason = reason
            self.bookings = bookings
        }
    }

    /// The number of places that are named.
    public static let most = 100

    /// In the order in which they were found.
    public private(set) var places: [Place] = []
    /// Bookings at further places, which are not named.
    public private(set) var otherBookings = 0
    /// Bookings that name no place at all.
    public private(set) var withoutPlace = 0
    private var indices: [String: Int] = [:]

    public init() {}

    /// For a report that was stored.
    public init(places: [Place], otherBookings: Int, withoutPlace: Int) {
        self.places = places
        self.otherBookings = otherBookings
        self.withoutPlace = withoutPlace
    }

    public var isEmpty: Bool { places.isEmpty && otherBookings == 0 && withoutPlace == 0 }

    mutating func note(_ text: String, _ reason: Place.Reason) {
        if let index = indices[text] {
            places[index].bookings += 1
        } else if places.count < Self.most {
            indices[text] = places.count
            places.append(Place(text: text, reason: reason, bookings: 1))
        } else {
            otherBookings += 1
        }
    }

    mutating func noteWithoutPlace() { withoutPlace += 1 }
}
