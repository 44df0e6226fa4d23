import Events
import Geometry
import SeededRandomness
import Site

/// A small valid site with records of every kind.
struct RandomSite {
    private var random: SeededRandom
    private(set) var document: SiteDocument

    init(seed: Int) {
        random = SeededRandom(seed: seed)
        document = SiteDocument(
            name: "Campus \(seed)", originLatitude: 52.4, originLongitude: -4.07,
            bearingDegrees: seed.isMultiple(of: 2) ? 0 : 17.5)
        document.names = names()
        if chance(0.5) { document.outline = square(-50, -50, 200) }
        for building in 0..<Int.random(in: 1...2, using: &random) { add(building: building) }
        addThings()
        document.removeUnfittingFacts()
    }

    private mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    private mutating func metres(_ range: ClosedRange<Double>) -> Double {
        (Double.random(in: range, using: &random) * 100).rounded() / 100
    }

    private mutating func names() -> Translations {
        var names: [String: String] = [:]
        for language in ["cy", "de", "fr-CH"] where chance(0.4) {
            names[language] = "Enw \(Int.random(in: 0..<100, using: &random))"
        }
        return Translations(names)
    }

    private func square(_ x: Double, _ y: Double, _ side: Double) -> Ring {
        [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value? {
        values.randomElement(using: &random)
    }

    private mutating func add(building number: Int) {
        let id = BuildingID("b\(number)")
        let x = Double(number) * 60
        document.buildings.append(
            BuildingRecord(
                id: id, name: "House \(number)", names: names(), timeZone: "Europe/London",
                outline: chance(0.7) ? square(x, 0, 40) : [],
                address: chance(0.3) ? "1 High Street" : nil))
        for ordinal in 0..<Int.random(in: 1...3, using: &random) {
            let floor = FloorID("b\(number)-f\(ordinal)")
            document.floors.append(
                FloorRecord(
                    id: floor, building: id, ordinal: ordinal - 1, level: "\(ordinal)",
                    names: names(), heightMetres: chance(0.5) ? metres(-4...9) : nil,
                    outline: chance(0.6) ? square(x, 0, 40) : []))
            addRooms(floor, x)
        }
    }

    private mutating func addRooms(_ floor: FloorID, _ x: Double) {
        for place in 0..<Int.random(in: 2...4, using: &random) {
            let left = x + Double(place % 2) * 20
            let below = Double(place / 2) * 20
            let hasHole = chance(0.2)
            document.rooms.append(
                RoomRecord(
                    id: RoomID("\(floor.text)-r\(place)"), floor: floor, name: "Room \(place)",
                    names: names(),
                    kind: pick(["room", "corridor", "toilet", "lift", "stairs", "Labor"]) ?? "",
                    outline: chance(0.9) ? square(left, below, 20) : [],
                    accessible: pick(Accessibility.allCases) ?? .unknown,
                    isRestricted: chance(0.2),
                    openingHours: chance(0.2) ? "Mo-Fr 08:00-18:00" : nil,
                    surface: chance(0.2) ? "carpet" : nil,
                    hasTactilePaving: chance(0.2) ? chance(0.5) : nil,
                    visibility: chance(0.2) ? pick(Visibility.allCases) : nil,
                    timetableVisibility: chance(0.1) ? pick(Visibility.allCases) : nil))
            let last = document.rooms.count - 1
            if hasHole, !document.rooms[last].outline.isEmpty {
                document.rooms[last].holes = [square(left + 5, below + 5, 4)]
            }
        }
    }

    private mutating func stop(_ room: RoomRecord) -> ConnectionStop {
        ConnectionStop(
            floor: room.floor, room: chance(0.8) ? room.id : nil,
            point: Point(x: metres(0...100), y: metres(0...40)))
    }

    private mutating func addThings() {
        let rooms = document.rooms
        for number in 0..<Int.random(in: 3...9, using: &random) {
            guard let one = pick(rooms), let other = pick(rooms) else { continue }
            addConnection(number, one, other)
            if chance(0.6) {
                document.locations.append(
                    LocationRecord(
                        id: LocationID("l\(number)"), name: chance(0.5) ? "Spot" : nil,
                        names: names(), floor: one.floor, room: chance(0.7) ? one.id : nil,
                        point: Point(x: metres(0...100), y: metres(0...40))))
            }
            if chance(0.4) {
                let hasOutline = chance(0.7)
                document.zones.append(
                    ZoneRecord(
                        id: ZoneID("z\(number)"), name: "Zone", names: names(), kind: "quiet",
                        floor: chance(0.7) ? one.floor : nil,
                        outline: hasOutline ? square(1, 2, 9) : [],
                        rooms: hasOutline && chance(0.5) ? [] : [other.id]))
            }
            if chance(0.4) {
                document.beacons.append(beacon(number, one.floor))
            }
            if chance(0.4) {
                document.scanners.append(
                    SiteScanner(
                        id: ScannerID("node-\(number)"), name: chance(0.5) ? "Node" : nil,
                        floor: one.floor, point: Point(x: metres(0...40), y: metres(0...40)),
                        heightMetres: chance(0.5) ? 2.25 : nil))
            }
            if chance(0.5) {
                document.directory.append(
                    DirectoryEntry(
                        id: DirectoryID("d\(number)"), kind: "department", name: "Office",
                        names: names(), parent: document.directory.first?.id,
                        places: chance(0.5)
                            ? [.room(one.id)]
                            : document.locations.first.map { [.location($0.id)] } ?? [],
                        openingHours: chance(0.5) ? "24/7" : nil,
                        website: chance(0.5) ? "https://example.org" : nil,
                        telephone: chance(0.5) ? "+44 1" : nil))
            }
            if chance(0.3) {
                document.contents.append(
                    ContentRecord(
                        id: ContentID("c\(number)"), place: .room(other.id), title: "Look",
                        titles: names(), text: "Long\nago"))
                document.accessPointPlaces.append(
                    AccessPointPlace(
                        address: HardwareAddress(value: UInt64(number) + 1), floor: one.floor,
                        point: Point(x: metres(0...40), y: 3)))
            }
        }
    }

    private mutating func addConnection(_ number: Int, _ one: RoomRecord, _ other: RoomRecord) {
        let id = ConnectionID("k\(number)")
        var connection = ConnectionRecord(
            id: id, kind: pick([.walk, .stairs, .ramp, .escalator]) ?? .walk, names: names(),
            stops: [stop(one), stop(other)], isOneWay: chance(0.3),
            accessible: pick(Accessibility.allCases) ?? .unknown,
            widthMetres: chance(0.3) ? 1.2 : nil, surface: chance(0.2) ? "gravel" : nil,
            steps: chance(0.2) ? 12 : nil, openingHours: chance(0.2) ? "24/7" : nil)
        if chance(0.4) {
            connection.kind = .door
            let (x, y) = (metres(0...40), metres(0...40))
            for side in 0..<2 {
                connection.stops[side].point = [x, y]
            }
            connection.isAutomatic = chance(0.5) ? chance(0.5) : nil
            connection.doorKind = chance(0.4) ? pick(DoorKind.allCases) : nil
            connection.opens = chance(0.3) ? pick(DoorSwing.allCases) : nil
            connection.isGlass = chance(0.3) ? chance(0.7) : nil
        } else if connection.kind == .walk, chance(0.5) {
            connection.line = [[metres(0...40), 3]]
        } else if one.floor != other.floor, chance(0.5) {
            connection.kind = .lift
        }
        connection.riseMetres = chance(0.2) ? metres(-3...3) : nil
        connection.isOffGround = chance(0.2)
        connection.leads = chance(0.2) ? pick(Ascent.allCases) : nil
        connection.handrail = chance(0.3) ? pick(Handrail.allCases) : nil
        connection.hasTactilePaving = chance(0.2) ? chance(0.5) : nil
        document.connections.append(connection)
    }

    private mutating func beacon(_ number: Int, _ floor: FloorID) -> SiteBeacon {
        SiteBeacon(
            id: BeaconID("n\(number)"), floor: floor,
            point: Point(x: metres(0...40), y: metres(0...40)),
            uuid: EventID(high: UInt64(number), low: 7), major: number, minor: 2, txPower: -59,
            batteryByte: chance(0.3) ? .high : nil,
            group: chance(0.5) ? BeaconGroupID("hall") : nil,
            orderInGroup: chance(0.5) ? number : nil, closesRing: chance(0.2),
            isDisabled: chance(0.2), farthestMetres: chance(0.3) ? 12.5 : nil,
            proximity: BeaconProximity(nearDecibels: chance(0.3) ? 2 : nil))
    }
}
