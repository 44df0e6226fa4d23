public import Events
public import Geometry
public import Site

/// A site's network in a form to hand out, so that another program only has to search it.
///
/// Costs are in milliseconds, as `IndoorRoute.costMilliseconds`. A search over `arcs` leads from
/// the starts of one room to the ends of another. It finds the cost of a query for that route. A
/// node in the middle of a room, where routes begin, has no arcs that lead to it.
public struct HandedNetwork: Sendable {
    /// The most arcs of a network that is handed out.
    public static let mostArcs = 150_000

    public struct Node: Sendable {
        /// The index of the floor in `floors`; nil outdoors.
        public var floor: Int?
        /// Metres in the site's frame.
        public var point: Point
    }

    /// A connection or room that arcs belong to.
    public struct Passage: Sendable {
        public enum Part: Hashable, Sendable {
            /// A straight line without either.
            case approach
            case room(RoomID)
            case connection(ConnectionID, ConnectionRecord.Kind)
        }
        public var part: Part
        /// A room that is closed but to those who begin or end a route in it.
        public var isRestricted = false
        /// A door that is stated to be opened by hand.
        public var isManual = false
        public var widthMetres: Double?
        /// Rise over run without its sign; only of walks and ramps.
        public var slope: Double?
        public var kerbMetres: Double?
        public var hours: OpeningHours?
        /// The facts of a connection for hand and foot; nil if there are none.
        public var touch: Touch?
        /// The room that a walk does not leave; nil for all others.
        public var room: RoomID?
    }

    public struct Arc: Sendable {
        public var tail: Int
        public var head: Int
        /// The index in `passages`.
        public var passage: Int
        /// Whether closing the passage closes this arc.
        public var isEntrance: Bool
        /// Whether the way back has the same figures.
        public var isBothWays: Bool
        public var metres: Double
        /// The points between its ends.
        public var bends: [Point] = []
    }

    /// The costs of one profile with its usual figures.
    public struct Profile: Sendable {
        public var profile: TravelProfile
        /// For each arc. Widths, slopes, kerbs and restricted rooms close nothing here: a passage
        /// says them, and the search compares them with the limits.
        public var costs: [Cost]
        /// The part of an arc's cost that is no time but a price, where there is one.
        public var prices: [(arc: Int, cost: Cost)]
    }

    public struct Room: Sendable {
        public var id: RoomID
        /// The index of the floor in `floors`.
        public var floor: Int
        /// The nodes at which routes from it begin, and those at which routes to it end.
        public var starts: [Int]
        public var ends: [Int]
        /// The passage in which a route begins or ends, so that it may use it although it is
        /// closed.
        public var startPassage: Int?
        public var endPassage: Int?
        /// The nodes where no ways lead to the room: near it.
        public var startsNear: [Int] = []
        public var endsNear: [Int] = []
        /// The stops of lifts in a room that is one of them. Where none can be entered, the room is
        /// no lift to go to.
        public var stops: [Int] = []
        /// The ground: a value of OpenStreetMap's key `surface`, and whether it leads a cane.
        public var surface: String?
        public var hasTactilePaving = false
        /// Whether the reader does not see all of its openings.
        public var hasUnseenOpenings = false
    }

    /// A place that stands for rooms and nodes, in the words of an address such as `building:main`.
    public struct Place: Sendable {
        public var name: String
        /// Indices in `rooms`, and in `nodes`.
        public var rooms: [Int] = []
        public var nodes: [Int] = []
    }

    public var floors: [FloorID] = []
    public var nodes: [Node] = []
    public var passages: [Passage] = []
    /// Those of both ways first.
    public var arcs: [Arc] = []
    public var profiles: [Profile] = []
    public var rooms: [Room] = []
    public var places: [Place] = []

    /// The network of a building, or of the complete site if nil; nil for one with more arcs than
    /// `mostArcs`.
    ///
    /// The part of a building has its floors, and the ends of connections that lead to others and
    /// outdoors. Ways that leave the building and return are not in it.
    public init?(_ network: WayNetwork, building: BuildingID? = nil) {
        guard building != nil || network.graph.arcs.count <= Self.mostArcs else { return nil }
        var maker = HandedNetworkMaker(network, building: building)
        maker.addArcs()
        guard maker.count <= Self.mostArcs else { return nil }
        maker.addRooms()
        guard maker.count <= Self.mostArcs else { return nil }
        maker.addPlaces()
        self = maker.made()
    }
}
