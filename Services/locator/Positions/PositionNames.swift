import Events
import Postgres
import Synchronization

/// The numbers that stand for names in `locator.position_rows`, as one process knows them, by
/// schema.
///
/// Numbers that a transaction has found or made count until a transaction fails. Then all are
/// forgotten, since the rows of the names may be gone too. They are forgotten as well where another
/// process has swapped the tables (`rebuild`), or has removed names (`generation`).
final class PositionNames: Sendable {
    private let known = Mutex<[String: KnownNames]>([:])

    /// The names of a schema. They are here no more, so that only one transaction works with them.
    func borrowed(_ schema: String) -> KnownNames {
        known.withLock { $0.removeValue(forKey: schema) } ?? KnownNames()
    }

    func putBack(_ names: KnownNames, _ schema: String) {
        known.withLock { $0[schema] = names }
    }

    /// - Parameter committed: false forgets the names.
    func ended(_ schema: String, committed: Bool) {
        known.withLock { known in
            if committed { known[schema]?.openTransaction = nil } else { known[schema] = nil }
        }
    }
}

/// The state of the tables of names that a process has seen.
struct NamesGeneration: Hashable, Sendable {
    /// The table's number in the server, which differs after a rebuild.
    var table: Int64
    var count: Int64

    static func statement(schema: String, alsoTransaction: Bool = false) -> PostgresStatement {
        let transaction =
            alsoTransaction ? ", pg_current_xact_id()::text::bigint AS transaction" : ""
        return PostgresStatement(
            """
            SELECT tableoid::bigint AS "table", generation\(transaction)
            FROM \(schema).position_names
            """)
    }

    init(_ row: PostgresRow) throws {
        table = try row["table"]
        count = try row["generation"]
    }
}

/// A position's building, floor and room with the whole degrees of its place.
struct NarrowPlace: Hashable, Sendable {
    var building: BuildingID?
    var floor: FloorID?
    var room: RoomID?
    var latitude: Int16
    var longitude: Int16

    func name(at site: SiteID) -> String {
        let ids = "\(site)/\(building?.text ?? "")/\(floor?.text ?? "")/\(room?.text ?? "")"
        return "\(ids)/\(latitude)/\(longitude)"
    }
}

/// All else that few positions differ in: the versions, the positioner, the states.
struct PositionKind: Hashable, Sendable {
    var siteVersion: Int
    var radioMapVersion: Int?
    var choiceVersion: Int?
    var state: PositionEstimated.State
    var late: Bool
    var motion: MotionPeriod?
    var lostBecause: PositionEstimated.LostReason?
    var positioner: String

    init(_ position: PositionEstimated) {
        siteVersion = position.siteVersion
        radioMapVersion = position.radioMapVersion
        choiceVersion = position.choiceVersion
        state = position.state
        late = position.late
        motion = position.motion
        lostBecause = position.lostBecause
        positioner = position.positioner
    }

    var name: String {
        let versions = [radioMapVersion, choiceVersion].map { $0.map(String.init) ?? "" }
        return [
            String(siteVersion), versions[0], versions[1], state.rawValue, late ? "late" : "",
            motion?.rawValue ?? "", lostBecause?.rawValue ?? "", positioner,
        ].joined(separator: "/")
    }
}

struct KnownNames: Sendable {
    /// The most names of devices and places, and of devices in rooms, that are kept in memory.
    private static let most = 400_000

    struct Device: Sendable {
        var number: Int32
        /// The newest day that its row is known to have.
        var lastDay: Int64
    }

    struct Site: Sendable {
        var number: Int16?
        var devices: [DeviceID: Device] = [:]
        /// With the empty id for no room.
        var rooms: [RoomID: Int32] = [:]
        var places: [NarrowPlace: Int32] = [:]
    }

    var generation: NamesGeneration?
    /// The transaction that has used the names and has not ended yet.
    var openTransaction: Int64?
    var sites: [SiteID: Site] = [:]
    var kinds: [PositionKind: Int32] = [:]
    /// The quarters of an hour in which a device is counted in a room, as bits.
    var counted: [RoomHourDevice: Int16] = [:]

    /// Forgets what is not sure any more, or too much to keep.
    mutating func begin(_ generation: NamesGeneration, transaction: Int64) {
        let isSure = openTransaction == nil || openTransaction == transaction
        if self.generation != generation || !isSure { self = KnownNames() }
        self.generation = generation
        openTransaction = transaction
        let count = sites.values.reduce(kinds.count) {
            $0 + $1.devices.count + $1.places.count + $1.rooms.count
        }
        if count > Self.most { (sites, kinds) = ([:], [:]) }
        if counted.count > Self.most { counted = [:] }
    }
}
