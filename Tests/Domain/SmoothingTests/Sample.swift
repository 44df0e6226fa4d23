import Events

/// Positions of devices in a museum, for tests of the smoother.
enum Sample {
    static let site = SiteID("museum")
    /// 2026-11-26T12:00:00Z.
    private static let noon: Int64 = 1_795_694_400_000

    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: noon + Int64((seconds * 1_000).rounded()))
    }

    static func key(_ device: String) -> DeviceKey { DeviceKey(site, DeviceID(device)) }

    /// - Parameter number: the number in the position's id.
    static func position(
        _ number: Int, at seconds: Double, x: Double = 0, y: Double = 0, floor: String? = "g",
        state: PositionEstimated.State = .located, device: String = "d",
        rooms: [(id: String, probability: Double)] = []
    ) -> PositionEstimated {
        var position = PositionEstimated(
            id: EventID(high: 1, low: UInt64(number)), scan: EventID(high: 2, low: UInt64(number)),
            at: moment(seconds), locatedAt: moment(seconds), device: DeviceID(device), site: site,
            siteVersion: 1, state: state, late: false, positioner: "auto", radioMapVersion: 1)
        guard state != .lost else { return position }
        position.building = floor == nil ? nil : BuildingID("house")
        position.floor = floor.map { FloorID($0) }
        (position.x, position.y) = (x, y)
        (position.latitude, position.longitude) = (51 + y / 111_000, x / 70_000)
        position.covariance = [4, 0, 1]
        (position.radius68, position.radius95) = (3, 6)
        position.rooms = rooms.map { .init(id: RoomID($0.id), probability: $0.probability) }
        position.room = position.rooms.first?.id
        return position
    }
}
