import Events
import Geometry
import Glibc
import Positioning
import Site

@testable import Simulation

/// A person who walks past a door of `DoorHouse`, or through it, with a scan every three seconds.
///
/// Satellites give a fix in 95 of 100 scans outdoors, in 40 near the door and in 10 farther inside.
/// Fixes indoors state two to three times the radius, and err accordingly. The errors of
/// successive fixes are alike. A telephone that is found by Wi-Fi also has a fix in 95 of 100 scans
/// indoors. It states the radius of outdoors, and is not off.
struct DoorWalk {
    static let periodSeconds = 3.0

    /// The way of the person, by the sides of the door.
    enum Way: CaseIterable { case pastOutside, pastInside, leave, enter, outAndBack, inAndOut }

    /// The trouble with satellites.
    enum Trouble: CaseIterable {
        case none
        /// No fix for 20 s, from up to 8 s before each passage of the door.
        case missing
        /// All fixes lie 30 m off, along the façade.
        case along
        /// All fixes lie 30 m off, across the façade.
        case across
    }

    struct Step {
        let seconds: Double
        let scan: RadioScan
        let isOutdoors: Bool
        let point: Point
    }

    let way: Way
    let trouble: Trouble
    private(set) var steps: [Step] = []
    /// The times at which the person passes the door, with the side that is reached.
    private(set) var passages: [(seconds: Double, isOutdoors: Bool)] = []

    /// A straight part of the way, or a stay.
    private struct Leg {
        let from: PlanPoint
        let to: PlanPoint
        let start: Double
        let end: Double
        let heading: Double
        let isOutdoors: Bool
    }

    private var legs: [Leg] = []
    private var random: SimulationRandom
    private let pace: Double
    private let door: DoorHouse.Door

    init(in house: DoorHouse, seed: UInt64, isFoundByWifi: Bool = false) {
        random = SimulationRandom(seed: seed, part: 16)
        // All combinations occur in 24 successive seeds.
        way = Way.allCases[Int(seed % 6)]
        trouble = Trouble.allCases[Int(seed / 6 % 4)]
        door = DoorHouse.doors[random.index(below: DoorHouse.doors.count)]
        pace = random.uniform(0.8, 1.5)
        plan()
        record(house, isFoundByWifi: isFoundByWifi)
    }

    // MARK: The way

    private mutating func plan() {
        switch way {
        case .pastOutside:
            let side = random.index(below: 2) == 0 ? 1.0 : -1
            begin(outside(along: -side * random.uniform(30, 45)), isOutdoors: true)
            go(outside(along: 0))
            if random.index(below: 2) == 0 { stay(random.uniform(3, 30)) }
            go(outside(along: side * random.uniform(30, 45)))
        case .pastInside:
            begin(lab(), isOutdoors: false)
            stay(random.uniform(15, 40))
            goToDoor()
            stay(random.uniform(0, 30))
            go(corridor(random.uniform(25, 40)))
        case .leave:
            beginInside()
            pass(isOutdoors: true)
            goAway()
        case .enter:
            beginOutside()
            pass(isOutdoors: false)
            goIn()
        case .outAndBack:
            beginInside()
            pass(isOutdoors: true)
            go(outside(along: random.uniform(-20, 20)))
            stay(random.uniform(25, 60))
            goToDoor()
            pass(isOutdoors: false)
            goIn()
        case .inAndOut:
            beginOutside()
            pass(isOutdoors: false)
            go(corridor(random.uniform(3, 20)))
            stay(random.uniform(20, 60))
            goToDoor()
            pass(isOutdoors: true)
            goAway()
        }
    }

    private mutating func beginInside() {
        begin(lab(), isOutdoors: false)
        stay(random.uniform(20, 45))
        goToDoor()
    }

    private mutating func beginOutside() {
        begin(
            outside(along: random.uniform(-45, 45), away: random.uniform(2, 25)), isOutdoors: true)
        stay(random.uniform(20, 40))
        goToDoor()
    }

    private mutating func goIn() {
        go(corridor(random.uniform(10, 40)))
        stay(random.uniform(20, 40))
    }

    private mutating func goAway() {
        go(outside(along: random.uniform(-10, 10), away: random.uniform(2, 12)))
        if random.index(below: 2) == 0 { stay(random.uniform(5, 30)) }
        go(outside(along: random.uniform(-45, 45), away: random.uniform(4, 40)))
        stay(10)
    }

    /// Walks to within a metre of the door, and may wait there for it.
    private mutating func goToDoor() {
        let side = legs.last?.isOutdoors == true ? 1.0 : -1
        if side < 0 { go(corridor(3)) }
        go(PlanPoint(x: door.point.x + side * door.out * 0.8, y: door.point.y))
        if random.index(below: 3) == 0 { stay(random.uniform(1, 6)) }
    }

    private mutating func pass(isOutdoors: Bool) {
        let side = isOutdoors ? 1.0 : -1
        go(door.point)
        passages.append((legs.last?.end ?? 0, isOutdoors))
        begin(door.point, isOutdoors: isOutdoors)
        go(PlanPoint(x: door.point.x + side * door.out * 1.5, y: door.point.y))
    }

    /// A point outdoors, `along` metres from the door along the façade.
    private mutating func outside(along: Double, away: Double? = nil) -> PlanPoint {
        let distance = away ?? random.uniform(1.5, 6)
        return PlanPoint(x: door.point.x + door.out * distance, y: door.point.y + along)
    }

    private func corridor(_ metres: Double) -> PlanPoint {
        PlanPoint(x: door.point.x - door.out * metres, y: door.point.y)
    }

    /// A point of the corridor in front of a lab's door.
    private mutating func lab() -> PlanPoint { corridor(random.uniform(8, 44)) }

    private mutating func begin(_ point: PlanPoint, isOutdoors: Bool) {
        let (now, heading) = (legs.last?.end ?? 0, legs.last?.heading ?? 0)
        legs.append(
            Leg(
                from: point, to: point, start: now, end: now, heading: heading,
                isOutdoors: isOutdoors))
    }

    private mutating func go(_ point: PlanPoint) {
        guard let last = legs.last else { return }
        let (x, y) = (point.x - last.to.x, point.y - last.to.y)
        let seconds = (x * x + y * y).squareRoot() / pace
        legs.append(
            Leg(
                from: last.to, to: point, start: last.end, end: last.end + seconds,
                heading: atan2(x, y), isOutdoors: last.isOutdoors))
    }

    private mutating func stay(_ seconds: Double) {
        guard let last = legs.last else { return }
        legs.append(
            Leg(
                from: last.to, to: last.to, start: last.end, end: last.end + seconds,
                heading: random.uniform(0, 2 * .pi), isOutdoors: last.isOutdoors))
    }

    // MARK: The scans

    private mutating func record(_ house: DoorHouse, isFoundByWifi: Bool) {
        var receiver = SimulatedReceiver(noiseSigma: DoorHouse.noiseSigma, random: &random)
        let end = legs.last?.end ?? 0
        let gaps = gaps(until: end)
        let off = offset()
        let accuracy = random.uniform(4, 14)
        var error = (x: random.gaussian(), y: random.gaussian())
        var seconds = random.uniform(0, Self.periodSeconds)
        while seconds <= end {
            guard let leg = legs.last(where: { $0.start <= seconds }) else { break }
            let share =
                leg.end > leg.start ? min(1, (seconds - leg.start) / (leg.end - leg.start)) : 1
            let place = PlacedDevice(
                x: leg.from.x + share * (leg.to.x - leg.from.x),
                y: leg.from.y + share * (leg.to.y - leg.from.y),
                z: RadioModel.deviceHeightMetres, heading: leg.heading)
            let wifi = receiver.scan(
                at: place, seconds: seconds, in: house.building, random: &random)
            let at = house.end.advanced(byMicroseconds: Int64(seconds * 1e6))
            var scan = RadioScan(
                readings: wifi.map {
                    RadioReading(transmitter: .wifi($0.bssid), rssi: Int8(clamping: $0.rssi))
                }, at: at)
            let kept = exp(-Self.periodSeconds / 15)
            let fresh = (1 - kept * kept).squareRoot()
            error.x = kept * error.x + fresh * random.gaussian()
            error.y = kept * error.y + fresh * random.gaussian()
            let depth = leg.isOutdoors ? 0 : abs(place.x - door.point.x)
            let isWifi = isFoundByWifi && !leg.isOutdoors
            let chance = leg.isOutdoors || isWifi ? 0.95 : depth < 6 ? 0.4 : 0.1
            let hasFix = random.uniform() < chance
            let stated = accuracy * (leg.isOutdoors || isWifi ? 1 : random.uniform(2, 3))
            let off = isWifi ? (x: 0, y: 0) : off
            if hasFix, !gaps.contains(where: { $0.contains(seconds) }) {
                // A radius of 68 % is one and a half deviations.
                let place = house.site.frame.geographic(
                    Point(
                        x: place.x + off.x + error.x * stated / 1.5,
                        y: place.y + off.y + error.y * stated / 1.5))
                scan.gnss = SatelliteFix(
                    latitude: place.latitude, longitude: place.longitude, accuracyMetres: stated)
            }
            steps.append(
                Step(
                    seconds: seconds, scan: scan, isOutdoors: leg.isOutdoors,
                    point: Point(x: place.x, y: place.y)))
            seconds += Self.periodSeconds
        }
    }

    private mutating func gaps(until end: Double) -> [ClosedRange<Double>] {
        guard trouble == .missing else { return [] }
        let middles = passages.isEmpty ? [end / 2] : passages.map(\.seconds)
        return middles.map { middle in
            let start = middle - random.uniform(0, 8)
            return start...start + 20
        }
    }

    private mutating func offset() -> (x: Double, y: Double) {
        let side = random.index(below: 2) == 0 ? 30.0 : -30
        return switch trouble {
        case .none, .missing: (0, 0)
        case .along: (0, side)
        case .across: (side, 0)
        }
    }
}
