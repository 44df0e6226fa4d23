import Glibc

/// A person who walks from room to room through doors, along corridors, and by stairs or lift. The
/// person stays a while in each room and is never outside of one.
struct Wanderer: Sendable {
    /// A straight part of the walk, or a stay; each is within one room of the plan.
    private struct Leg: Sendable {
        let room: Int
        let start: PlanPoint
        let end: PlanPoint
        let startHeight: Double
        let endHeight: Double
        let seconds: Double
        let heading: Double
    }

    /// Speeds, times and shares are chosen so that a walk of ten minutes visits several rooms
    /// (docs/simulator.md).
    static let speedMetresPerSecond = (0.9, 1.5)
    static let staySeconds = (10.0, 120.0)
    static let stayOnStoreyShare = 0.75
    static let stairsShare = 0.7
    static let stairsSecondsPerStorey = 16.0
    static let liftSecondsPerStorey = 6.0
    static let liftDoorSeconds = 10.0
    /// The least distance from the walls of a room, in metres.
    static let marginMetres = 0.5
    /// The distance of a lane from the middle of a corridor, in metres.
    static let laneMetres = 0.5

    private let plan: FloorPlan
    private let speed: Double
    private var legs: [Leg] = []
    private var leg = 0
    private var secondsIntoLeg = 0.0

    init(in plan: FloorPlan, random: inout SimulationRandom) {
        self.plan = plan
        speed = random.uniform(Self.speedMetresPerSecond.0, Self.speedMetresPerSecond.1)
        let storey = random.index(below: SimulatedBuilding.storeys)
        let labs = plan.rooms(of: .room)
        let room = labs[random.index(below: labs.count)]
        let point = Self.point(in: plan.rooms[room], &random)
        let height = Double(storey) * RadioModel.storeyMetres
        legs = [Self.stay(in: room, at: point, height: height, &random)]
    }

    /// The room of the plan where the person is.
    var room: Int { legs[leg].room }

    /// Where the device in the person's hand is.
    var place: PlacedDevice {
        let leg = legs[leg]
        let share = leg.seconds > 0 ? min(secondsIntoLeg / leg.seconds, 1) : 1
        return PlacedDevice(
            x: leg.start.x + share * (leg.end.x - leg.start.x),
            y: leg.start.y + share * (leg.end.y - leg.start.y),
            z: leg.startHeight + share * (leg.endHeight - leg.startHeight)
                + RadioModel.deviceHeightMetres,
            heading: leg.heading)
    }

    mutating func advance(bySeconds seconds: Double, random: inout SimulationRandom) {
        secondsIntoLeg += seconds
        while secondsIntoLeg >= legs[leg].seconds {
            secondsIntoLeg -= legs[leg].seconds
            if leg + 1 == legs.count { setOut(&random) } else { leg += 1 }
        }
    }

    /// Chooses where to go next and lays out the legs.
    private mutating func setOut(_ random: inout SimulationRandom) {
        let last = legs[leg]
        var (room, point, height) = (last.room, last.end, last.endHeight)
        legs = []
        leg = 0
        if random.uniform() >= Self.stayOnStoreyShare {
            let isByStairs = random.uniform() < Self.stairsShare
            let shafts = plan.rooms(of: isByStairs ? .stairs : .lift)
            let shaft = shafts[random.index(below: shafts.count)]
            walk(from: room, point, to: shaft, height: height, &random)
            let storey = Int((height / RadioModel.storeyMetres).rounded())
            let steps = 1 + random.index(below: SimulatedBuilding.storeys - 1)
            let target = (storey + steps) % SimulatedBuilding.storeys
            let perStorey = isByStairs ? Self.stairsSecondsPerStorey : Self.liftSecondsPerStorey
            let seconds =
                Double(abs(target - storey)) * perStorey + (isByStairs ? 0 : Self.liftDoorSeconds)
            (room, point) = (shaft, legs[legs.count - 1].end)
            let next = Double(target) * RadioModel.storeyMetres
            legs.append(
                Leg(
                    room: room, start: point, end: point, startHeight: height, endHeight: next,
                    seconds: seconds, heading: random.uniform(0, 2 * Double.pi)))
            height = next
        }
        let labs = plan.rooms(of: .room)
        let goal = labs[random.index(below: labs.count)]
        walk(from: room, point, to: goal, height: height, &random)
        legs.append(Self.stay(in: goal, at: legs[legs.count - 1].end, height: height, &random))
    }

    /// Appends the legs from a point in one room to a random point in another (or the same).
    private mutating func walk(
        from start: Int, _ startPoint: PlanPoint, to end: Int, height: Double,
        _ random: inout SimulationRandom
    ) {
        guard let way = plan.way(from: start, to: end) else {
            preconditionFailure("a room of the house cannot be reached")
        }
        var (room, point) = (start, startPoint)
        for (door, next) in way {
            cross(room, from: point, to: door, height: height, &random)
            (room, point) = (next, door)
        }
        let goal = Self.point(in: plan.rooms[end], &random)
        cross(room, from: point, to: goal, height: height, &random)
    }

    /// Appends the legs across one room; along a corridor people keep to a lane.
    private mutating func cross(
        _ room: Int, from start: PlanPoint, to end: PlanPoint, height: Double,
        _ random: inout SimulationRandom
    ) {
        var corners = [start, end]
        if plan.rooms[room].kind == .corridor {
            let (x, y) = (plan.rooms[room].x, plan.rooms[room].y)
            let lane = random.uniform(-Self.laneMetres, Self.laneMetres)
            let centre = plan.rooms[room].centre
            let isAlongX = x.upperBound - x.lowerBound > y.upperBound - y.lowerBound
            corners =
                isAlongX
                ? [
                    start, PlanPoint(x: start.x, y: centre.y + lane),
                    PlanPoint(x: end.x, y: centre.y + lane), end,
                ]
                : [
                    start, PlanPoint(x: centre.x + lane, y: start.y),
                    PlanPoint(x: centre.x + lane, y: end.y), end,
                ]
        }
        for (from, to) in zip(corners, corners.dropFirst()) where from != to {
            let (deltaX, deltaY) = (to.x - from.x, to.y - from.y)
            let distance = (deltaX * deltaX + deltaY * deltaY).squareRoot()
            legs.append(
                Leg(
                    room: room, start: from, end: to, startHeight: height, endHeight: height,
                    seconds: distance / speed, heading: atan2(deltaX, deltaY)))
        }
    }

    private static func stay(
        in room: Int, at point: PlanPoint, height: Double, _ random: inout SimulationRandom
    ) -> Leg {
        Leg(
            room: room, start: point, end: point, startHeight: height, endHeight: height,
            seconds: random.uniform(staySeconds.0, staySeconds.1),
            heading: random.uniform(0, 2 * Double.pi))
    }

    private static func point(
        in room: PlanRoom, _ random: inout SimulationRandom
    ) -> PlanPoint {
        PlanPoint(
            x: random.uniform(room.x.lowerBound + marginMetres, room.x.upperBound - marginMetres),
            y: random.uniform(room.y.lowerBound + marginMetres, room.y.upperBound - marginMetres))
    }
}
