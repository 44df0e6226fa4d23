import Events
import Geometry
import Site

/// Applies a profile to one connection: its barriers, its unknown facts, its duration and its
/// price.
struct TravelRules {
    let profile: TravelProfile
    /// The ordinals of all floors; outdoors counts as 0.
    let ordinals: [FloorID: Int]

    /// The barriers of the connection for the profile, without outages and opening hours; empty if
    /// there are none.
    ///
    /// - Parameter direction: 1 up, -1 down, 0 level or unknown.
    func barriers(_ record: ConnectionRecord, direction: Int) -> [Barrier.Rule] {
        var rules: [Barrier.Rule] = []
        if record.kind == .stairs, profile.stairs == .never { rules.append(.steps) }
        if record.kind == .escalator, profile.escalators == .never { rules.append(.escalator) }
        if let way = avoided(record, direction: direction) { rules.append(.avoided(way)) }
        if profile.leavesOutInaccessible, record.accessible == .no || isRevolving(record) {
            rules.append(.inaccessible)
        }
        if let needed = profile.neededWidthMetres, let width = record.widthMetres, width < needed {
            rules.append(.tooNarrow(metres: width, needed: needed))
        }
        if let limit = profile.slopeLimit, let slope = record.slope, abs(slope) > limit,
            record.kind == .walk || record.kind == .ramp
        {
            rules.append(.tooSteep(slope: abs(slope), limit: limit))
        }
        if let limit = profile.kerbLimitMetres, let kerb = record.kerbMetres, kerb > limit {
            rules.append(.kerb(metres: kerb, limit: limit))
        }
        if let surface = record.surface, profile.surfacesLeftOut.contains(surface) {
            rules.append(.surface(surface))
        }
        if profile.unknownFactor == nil {
            let facts = unknownFacts(record)
            if !facts.isEmpty { rules.append(.unknown(facts)) }
        }
        return rules
    }

    /// Whether it is a revolving door of which nobody states that wheels can use it. Such doors are
    /// no part of an accessible route (ADA standards, section 404.3.7).
    private func isRevolving(_ record: ConnectionRecord) -> Bool {
        record.doorKind == .revolving && record.accessible != .yes
    }

    /// Facts that the profile needs and nobody has stated.
    ///
    /// Some kinds imply them: a way on one floor and a lift have no steps. Needed are the
    /// accessibility of a path between floors and the slope of a ramp. For wheels, also the widths
    /// of doors and lifts, and the accessibility of paths outdoors.
    func unknownFacts(_ record: ConnectionRecord) -> [UnknownFact.Fact] {
        guard record.accessible == .unknown else { return [] }
        let isForWheels = profile.neededWidthMetres != nil
        let asksForSteps = profile.stairs != .allowed
        var facts: [UnknownFact.Fact] = []
        switch record.kind {
        case .stairs, .escalator, .platformLift: break
        case .lift: if isForWheels, record.widthMetres == nil { facts.append(.accessible) }
        case .door: if isForWheels, record.widthMetres == nil { facts.append(.width) }
        case .ramp: if asksForSteps, record.slope == nil { facts.append(.slope) }
        case .walk:
            let levels = Set(record.stops.map { $0.floor.flatMap { ordinals[$0] } ?? 0 })
            if asksForSteps, levels.count > 1 {
                facts.append(.accessible)
            } else if isForWheels, record.stops[0].floor == nil {
                facts.append(.accessible)
            }
        }
        return facts
    }

    /// The duration of an arc in seconds.
    func seconds(_ arc: WayArc, _ record: ConnectionRecord?) -> Double {
        let pace = profile.pace
        let level = arc.metres / profile.walkingSpeed
        guard let record else { return level }
        // The share by which all other speeds are reduced: a slow walker also climbs slowly.
        let share = profile.walkingSpeed / TravelProfile.walking.walkingSpeed
        switch record.kind {
        case .walk, .ramp: return level
        case .door:
            let waits = record.isAutomatic == true
            return level + (waits ? pace.automaticDoorSeconds : pace.manualDoorSeconds)
        case .stairs:
            let (up, down) = (pace.stairsUpSpeed * share, pace.stairsDownSpeed * share)
            switch arc.direction {
            case 1: return arc.metres / up
            case -1: return arc.metres / down
            default: return arc.metres * (1 / up + 1 / down) / 2
            }
        case .escalator:
            let steps = (arc.metres * arc.metres + arc.climb * arc.climb).squareRoot()
            return steps / pace.escalatorSpeed
        case .lift:
            return lift(arc, wait: pace.liftWaitSeconds, speed: pace.liftSpeed)
        case .platformLift:
            return lift(arc, wait: pace.platformLiftWaitSeconds, speed: pace.platformLiftSpeed)
        }
    }

    /// Seconds that are added to the cost of a connection that the traveller would rather avoid.
    func price(_ arc: WayArc, _ record: ConnectionRecord?, seconds: Double) -> Double {
        guard let record else { return 0 }
        var price = 0.0
        if record.kind == .stairs, case .priced(let more) = profile.stairs { price += more }
        if record.kind == .escalator, case .priced(let more) = profile.escalators { price += more }
        if record.doorKind == .revolving { price += profile.revolvingDoorSeconds }
        if let factor = profile.unknownFactor, factor > 1, !unknownFacts(record).isEmpty {
            price += (factor - 1) * seconds
        }
        return price
    }

    private func lift(_ arc: WayArc, wait: Double, speed: Double) -> Double {
        switch arc.course {
        case .board: wait
        case .ride: arc.climb / speed
        default: 0
        }
    }

    private func avoided(_ record: ConnectionRecord, direction: Int) -> AvoidedWay? {
        let avoided = profile.avoided
        guard !avoided.isEmpty else { return nil }
        if avoided.contains(.softSurfaces), let surface = record.surface,
            TravelProfile.softSurfaces.contains(surface)
        {
            return .softSurfaces
        }
        let ways: (up: AvoidedWay, down: AvoidedWay)
        switch record.kind {
        case .walk: return nil
        case .door:
            let isManual = record.isAutomatic == false && avoided.contains(.manualDoors)
            return isManual ? .manualDoors : nil
        case .stairs: ways = (.stairsUp, .stairsDown)
        case .ramp: ways = (.rampsUp, .rampsDown)
        case .escalator: ways = (.escalatorsUp, .escalatorsDown)
        case .lift: ways = (.liftsUp, .liftsDown)
        case .platformLift: ways = (.platformLiftsUp, .platformLiftsDown)
        }
        // A connection without a direction is avoided if either direction is.
        if direction >= 0, avoided.contains(ways.up) { return ways.up }
        if direction <= 0, avoided.contains(ways.down) { return ways.down }
        return nil
    }
}
