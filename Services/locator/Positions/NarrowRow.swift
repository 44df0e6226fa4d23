import Events
import Postgres

/// A row of `locator.position_rows`, as it is read.
struct NarrowRow: Sendable {
    /// The columns, in the order in which `init` reads them.
    static let selection = """
        id, scan_id, at, located_at, latitude, longitude, x, y, covariance_xx, covariance_xy, \
        covariance_yy, radius68, radius95, device, place, kind, site, rooms
        """

    private var id: EventID
    private var scan: EventID
    private var at: Timestamp
    private var locatedAt: Timestamp
    private var latitude: Int32?
    private var longitude: Int32?
    private var x: Int32?
    private var y: Int32?
    private var covariance: (Int32, Int32, Int32)?
    private var radius68: Int32?
    private var radius95: Int32?
    private var device: Int32
    private var place: Int32
    private var kind: Int32
    private var site: Int32
    private var rooms: [(room: Int32, share: UInt16)]

    init(_ row: PostgresRow) throws {
        let (id, scan): (StoredID, StoredID) = (try row[0], try row[1])
        (self.id, self.scan) = (id.id, scan.id)
        at = Timestamp(microseconds: try row[2])
        locatedAt = Timestamp(microseconds: try row[3])
        (latitude, longitude) = (try row[4], try row[5])
        (x, y) = (try row[6], try row[7])
        if let first: Int32 = try row[8] { covariance = (first, try row[9], try row[10]) }
        (radius68, radius95) = (try row[11], try row[12])
        (device, place, kind, site) = (try row[13], try row[14], try row[15], try row[16])
        let rooms: StoredRooms = try row[17]
        self.rooms = rooms.rooms
    }

    /// Adds the numbers whose names are not known.
    func addMissing(_ missing: inout NumberedNames.Missing, _ names: NumberedNames) {
        if names.sites[site] == nil { missing.sites.insert(site) }
        if names.devices[device] == nil { missing.devices.insert(device) }
        if names.places[place] == nil { missing.places.insert(place) }
        if names.kinds[kind] == nil { missing.kinds.insert(kind) }
        for entry in rooms where names.rooms[entry.room] == nil {
            missing.rooms.insert(entry.room)
        }
    }

    /// Nil for a position of a device that was removed meanwhile.
    func position(_ names: NumberedNames) -> PositionEstimated? {
        guard let device = names.devices[device] ?? nil, let site = names.sites[site],
            let place = names.places[place], let kind = names.kinds[kind]
        else { return nil }
        var position = PositionEstimated(
            id: id, scan: scan, at: at, locatedAt: locatedAt, device: device, site: site,
            siteVersion: kind.siteVersion, state: kind.state, late: kind.late,
            positioner: kind.positioner, radioMapVersion: kind.radioMapVersion)
        position.building = place.building
        position.floor = place.floor
        position.room = place.room
        position.rooms = rooms.compactMap { entry in
            names.rooms[entry.room].map {
                .init(
                    id: $0, probability: Double(entry.share) / PositionTables.probabilityUnit)
            }
        }
        position.x = NarrowPosition.metres(x)
        position.y = NarrowPosition.metres(y)
        position.latitude = NarrowPosition.Degrees.value(
            whole: place.latitude, billionths: latitude)
        position.longitude = NarrowPosition.Degrees.value(
            whole: place.longitude, billionths: longitude)
        position.covariance = covariance.map {
            [$0.0, $0.1, $0.2].map(NarrowPosition.squareMetres)
        }
        position.radius68 = NarrowPosition.metres(radius68)
        position.radius95 = NarrowPosition.metres(radius95)
        position.motion = kind.motion
        position.choiceVersion = kind.choiceVersion
        position.lostBecause = kind.lostBecause
        return position
    }
}

/// A `uuid` column, read without a copy of its bytes.
private struct StoredID: PostgresDecodable {
    var id: EventID

    static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> StoredID {
        guard let bytes, bytes.count == 16 else {
            throw PostgresError(sqlState: "", reason: "a uuid column holds no UUID")
        }
        return StoredID(
            id: EventID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
    }
}

/// The column `rooms`: five bytes a room.
private struct StoredRooms: PostgresDecodable {
    var rooms: [(room: Int32, share: UInt16)] = []

    static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> StoredRooms {
        guard let bytes, bytes.count.isMultiple(of: PositionTables.roomBytes) else {
            throw PostgresError(sqlState: "", reason: "a column of rooms is damaged")
        }
        var stored = StoredRooms()
        stored.rooms.reserveCapacity(bytes.count / PositionTables.roomBytes)
        for start in stride(from: 0, to: bytes.count, by: PositionTables.roomBytes) {
            let number =
                Int32(bytes[start]) << 16 | Int32(bytes[start + 1]) << 8 | Int32(bytes[start + 2])
            let share = UInt16(bytes[start + 3]) << 8 | UInt16(bytes[start + 4])
            stored.rooms.append((number, share))
        }
        return stored
    }
}
