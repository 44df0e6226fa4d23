public import Events
import Geometry
public import Site

/// A made-up building with three storeys, two wings and sixty access points, with a model of its
/// radio. The plan is the same for every seed. The seed moves the access points a little and draws
/// the shadowing. docs/simulator.md describes the model, which is frozen.
public struct SimulatedBuilding: Sendable {
    public static let storeys = 3
    static let accessPointCount = 60

    public let site: SiteID
    /// Rooms with outlines, including corridors, stairs and lifts, and a location in each.
    public let document: SiteDocument
    public let accessPoints: [AccessPoint]

    let plan: FloorPlan
    /// Ordered by access point, then by the storey of the receiver.
    private let shadows: [[ShadowField]]

    public static func make(seed: UInt64, site: SiteID = SiteID("simulated")) -> SimulatedBuilding {
        SimulatedBuilding(seed: seed, site: site)
    }

    private init(seed: UInt64, site: SiteID) {
        self.site = site
        plan = FloorPlan.house
        document = Self.document(of: plan)
        var placing = SimulationRandom(seed: seed, part: 1)
        accessPoints = Self.placeAccessPoints(&placing)
        shadows = (0..<Self.accessPointCount).map { point in
            (0..<Self.storeys).map { storey in
                let part = 1_000 + UInt64(point * Self.storeys + storey)
                var random = SimulationRandom(seed: seed, part: part)
                return ShadowField(random: &random)
            }
        }
    }

    public static func floor(_ storey: Int) -> FloorID { FloorID("floor-\(storey)") }

    func room(_ index: Int, storey: Int) -> RoomID { Self.room(plan.rooms[index], storey: storey) }

    /// The level in dBm before noise, body and device; nil when it is below the hopeless level.
    func level(of point: Int, at place: PlacedDevice, hopeless: Double) -> Double? {
        guard
            let mean = RadioModel.meanLevel(
                from: accessPoints[point], to: place, in: plan, hopeless: hopeless)
        else { return nil }
        let storey = min(max(RadioModel.storey(place.z), 0), Self.storeys - 1)
        let shadow = shadows[point][storey].value(x: place.x, y: place.y)
        return mean + RadioModel.shadowSigmaDecibels * shadow
    }

    // MARK: Layout

    /// Places twenty access points on each storey: nine in each wing, two along the link. Odd
    /// storeys use the other labs, so that no storey is a copy of the one below.
    private static func placeAccessPoints(_ random: inout SimulationRandom) -> [AccessPoint] {
        var points: [AccessPoint] = []
        for storey in 0..<storeys {
            let odd = storey % 2
            let outer = [0, 2, 4].map { (Double($0 + odd) * 8 + 4, 5.0) }
            let inner = (odd == 0 ? [1, 5] : [0, 4]).map { (Double($0) * 8 + 4, 17.5) }
            let corridor = [6.0, 18, 32, 44].map { ($0, 11.25) }
            var places = FloorPlan.Wing.allCases.flatMap { wing in
                (outer + inner + corridor).map { ($0.0, wing.placed($0.1)) }
            }
            places += [(25.5, 20.0), (25.5, 35.0)]
            for (x, y) in places {
                let number = points.count
                points.append(
                    AccessPoint(
                        bssid: HardwareAddress(value: 0x0200_5E00_0000 + UInt64(number)),
                        frequency: 5_180 + 20 * (number % 4),
                        x: x + random.uniform(-1, 1), y: y + random.uniform(-1, 1),
                        z: Double(storey) * RadioModel.storeyMetres
                            + RadioModel.accessPointHeightMetres, storey: storey))
            }
        }
        return points
    }

    static func room(_ room: PlanRoom, storey: Int) -> RoomID {
        RoomID("\(storey).\(room.name)")
    }

    private static func document(of plan: FloorPlan) -> SiteDocument {
        let building = BuildingID("house")
        // The coordinates are those of the building that this one imitates. The bearing is not 0,
        // so that tests notice when it is forgotten.
        var document = SiteDocument(
            name: "Simulated house", originLatitude: 51.5129, originLongitude: -0.1167,
            bearingDegrees: 26)
        document.buildings = [
            BuildingRecord(id: building, name: "Simulated house", timeZone: "Europe/London")
        ]
        for storey in 0..<storeys {
            let floor = floor(storey)
            document.floors.append(
                FloorRecord(
                    id: floor, building: building, ordinal: storey, level: "\(storey)",
                    heightMetres: Double(storey) * RadioModel.storeyMetres))
            for planRoom in plan.rooms {
                let id = room(planRoom, storey: storey)
                let (x, y) = (planRoom.x, planRoom.y)
                let title = titles(of: planRoom)
                document.rooms.append(
                    RoomRecord(
                        id: id, floor: floor, name: "\(title.name) \(id)",
                        names: Translations(title.names.mapValues { "\($0) \(id)" }),
                        kind: planRoom.kind.rawValue,
                        outline: [
                            [x.lowerBound, y.lowerBound], [x.upperBound, y.lowerBound],
                            [x.upperBound, y.upperBound], [x.lowerBound, y.upperBound],
                        ]))
                let centre = planRoom.centre
                document.locations.append(
                    LocationRecord(
                        id: LocationID(id.text), floor: floor, room: id,
                        point: Point(x: centre.x, y: centre.y)))
            }
        }
        document.connections = connections(of: plan)
        return document
    }
}
