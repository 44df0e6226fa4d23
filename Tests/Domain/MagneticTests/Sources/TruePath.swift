import Events
import Geometry
import Glibc
import Positioning
import Site

@testable import Simulation

/// Where somebody with a device really is, at one moment.
struct TrueMoment {
    var place: PlacedDevice
    /// `.outdoors` where no room is.
    var floor: FloorID
    var room: RoomID?

    var point: Point { Point(x: place.x, y: place.y) }
    var isOutdoors: Bool { floor == .outdoors }
    var storey: Int { RadioModel.storey(place.z) }
}

/// The true places of one person, with a moment each tenth of a second.
struct TruePath {
    static let momentsPerSecond = 10
    static let metresPerStep = 0.7
    /// A flight has 24 steps (`SimulatedBuilding.connections`).
    private static let stepsPerStorey = 24.0
    private static let metresPerSecond = 1.2

    enum Person: String, CaseIterable {
        case walker, outing, resting
    }

    let person: Person
    let moments: [TrueMoment]
    /// The moments at which a step ends.
    let steps: Set<Int>

    /// - Parameter number: people of one kind with different numbers go different ways.
    init(of person: Person, number: Int, seconds: Int, in building: SimulatedBuilding, seed: UInt64)
    {
        let count = seconds * Self.momentsPerSecond
        self.person = person
        moments =
            switch person {
            case .walker: Self.walk(number, count, building, seed)
            case .outing: Self.outing(number, count, building, seed)
            case .resting: Self.rest(number, count, building, seed)
            }
        steps = Self.steps(moments)
    }

    private static func moment(
        _ place: PlacedDevice, room: Int?, in building: SimulatedBuilding
    ) -> TrueMoment {
        let storey = RadioModel.storey(place.z)
        return TrueMoment(
            place: place, floor: room == nil ? .outdoors : SimulatedBuilding.floor(storey),
            room: room.map { building.room($0, storey: storey) })
    }

    /// Somebody who wanders through all storeys.
    private static func walk(
        _ number: Int, _ count: Int, _ building: SimulatedBuilding, _ seed: UInt64
    ) -> [TrueMoment] {
        var random = SimulationRandom(seed: seed, part: 70_000 + UInt64(number))
        var wanderer = Wanderer(in: building.plan, random: &random)
        var moments: [TrueMoment] = []
        for _ in 0..<count {
            moments.append(moment(wanderer.place, room: wanderer.room, in: building))
            wanderer.advance(bySeconds: 1 / Double(momentsPerSecond), random: &random)
        }
        return moments
    }

    /// A device that lies in a room.
    private static func rest(
        _ number: Int, _ count: Int, _ building: SimulatedBuilding, _ seed: UInt64
    ) -> [TrueMoment] {
        let (place, truth) = SimulatedRest.place(number, in: building, seed: seed)
        let moment = TrueMoment(place: place, floor: truth.floor, room: truth.room)
        return [TrueMoment](repeating: moment, count: count)
    }

    /// Somebody who goes from a lab of the ground floor out by the front door. They stay outside
    /// for half a minute, come back to another lab, and begin again.
    private static func outing(
        _ number: Int, _ count: Int, _ building: SimulatedBuilding, _ seed: UInt64
    ) -> [TrueMoment] {
        var random = SimulationRandom(seed: seed, part: 80_000 + UInt64(number))
        let corridor = 11.25
        var lab = random.index(below: 6)
        var stops: [(point: Point, stay: Double)] = []
        func door(_ lab: Int) -> [(point: Point, stay: Double)] {
            let x = Double(lab) * 8 + 1.5
            return [(Point(x: x, y: corridor), 0), (Point(x: x, y: 10), 0)]
        }
        var moments: [TrueMoment] = []
        while moments.count < count {
            let far = random.uniform(90, 110)
            let inLab = Point(x: Double(lab) * 8 + 4, y: random.uniform(3, 7))
            let next = (lab + 1 + random.index(below: 5)) % 6
            stops = [(inLab, 16)] + door(lab).reversed()
            stops += [
                (Point(x: 48, y: corridor), 0), (Point(x: far, y: corridor + 4), 30),
                (Point(x: 48, y: corridor), 0),
            ]
            stops += door(next) + [(Point(x: Double(next) * 8 + 4, y: 5), 0)]
            append(stops, to: &moments, building)
            lab = next
        }
        return Array(moments.prefix(count))
    }

    private static func append(
        _ stops: [(point: Point, stay: Double)], to moments: inout [TrueMoment],
        _ building: SimulatedBuilding
    ) {
        func add(_ point: Point, _ heading: Double) {
            let place = PlacedDevice(
                x: point.x, y: point.y, z: RadioModel.deviceHeightMetres, heading: heading)
            let room = building.plan.room(at: PlanPoint(x: point.x, y: point.y))
            moments.append(moment(place, room: room, in: building))
        }
        let pace = metresPerSecond / Double(momentsPerSecond)
        var heading = 0.0
        for (stop, next) in zip(stops, stops.dropFirst()) {
            for _ in 0..<Int(stop.stay * Double(momentsPerSecond)) { add(stop.point, heading) }
            let (dx, dy) = (next.point.x - stop.point.x, next.point.y - stop.point.y)
            heading = atan2(dx, dy)
            let parts = max(1, Int(stop.point.distance(to: next.point) / pace))
            for part in 0..<parts {
                let share = Double(part) / Double(parts)
                add(Point(x: stop.point.x + share * dx, y: stop.point.y + share * dy), heading)
            }
        }
    }

    /// The moments at which steps end, by the way on the level and on stairs. A lift has none.
    private static func steps(_ moments: [TrueMoment]) -> Set<Int> {
        var steps: Set<Int> = []
        var made = 0.0
        for index in moments.indices.dropFirst() {
            let (before, now) = (moments[index - 1], moments[index])
            let earlier = Int(made)
            made += before.point.distance(to: now.point) / metresPerStep
            if now.room?.text.hasSuffix("S") == true {
                let climbed = abs(now.place.z - before.place.z) / RadioModel.storeyMetres
                made += climbed * stepsPerStorey
            }
            if Int(made) > earlier { steps.insert(index) }
        }
        return steps
    }
}
