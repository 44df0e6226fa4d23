public import Events
import Geometry
import Glibc
import Site

extension WayFinder {
    /// Metres from the route, beyond the position's own error, up to which a traveller counts as on
    /// it. A traveller in a wide corridor, or one who cuts a corner, is still on it.
    static let toleratedMetres = 4.0
    /// The least degrees of a bend that counts as a turn.
    static let turnDegrees = 30.0
    /// Metres ahead on the route at which the arrow points. The direction to a nearer point is
    /// unstable.
    static let lookAheadMetres = 5.0

    /// A traveller at a point. Nil for a place that is no point, and for a floor that the site
    /// lacks.
    public func traveller(
        at place: RoutePlace, headingDegrees: Double? = nil, headingErrorDegrees: Double? = nil
    ) -> TravellerPosition? {
        let site = network.site
        func traveller(_ floor: FloorID?, _ point: Point, _ radius: Double) -> TravellerPosition {
            TravellerPosition(
                floor: floor, point: point, radiusMetres: radius,
                headingDegrees: headingDegrees, headingErrorDegrees: headingErrorDegrees)
        }
        switch place {
        case .point(let floor, let point, let radius):
            if let floor, site.floor(floor) == nil { return nil }
            return traveller(floor, point, radius)
        case .geographic(let degrees, let sign, let radius):
            let point = site.frame.point(degrees)
            guard let sign else { return traveller(nil, point, radius) }
            return network.floor(withSign: sign, near: point).map {
                traveller(site.floor($0).id, point, radius)
            }
        case .room, .location, .kind, .entry, .zone, .building, .entrance, .floor: return nil
        }
    }

    /// Guides a traveller along the route of a query. A traveller who is off that route gets a new
    /// one.
    ///
    /// - Parameters:
    ///   - place: the traveller's place, where a new route begins.
    ///   - follows: whether the traveller follows the route already. If not, the route begins at
    ///     the traveller's place, so nobody can be off it.
    ///   - now: the departure time of a new route.
    public func guide(
        _ traveller: TravellerPosition, at place: RoutePlace, along query: RouteQuery,
        follows: Bool, now: Timestamp, outages: [WayOutage] = [],
        cardsWithinMetres: Double = 15, mostCards: Int = 12
    ) -> GuidedRoute {
        func guided(_ query: RouteQuery, isRerouted: Bool) -> GuidedRoute {
            let answer = answer(query, outages: outages)
            var route: IndoorRoute?
            if case .found(let routes) = answer { route = routes.first }
            return GuidedRoute(
                query: query, answer: answer,
                guidance: guidance(
                    for: traveller, on: route, cardsWithinMetres: cardsWithinMetres,
                    mostCards: mostCards), isRerouted: isRerouted)
        }
        let asked = guided(query, isRerouted: false)
        guard follows, asked.guidance.progress?.isOff != false else { return asked }
        var fromHere = query
        fromHere.from = place
        fromHere.departAt = now
        return guided(fromHere, isRerouted: true)
    }

    /// The traveller's progress, from the point of the route that is nearest on the traveller's
    /// floor.
    ///
    /// - Returns: nil for a route without legs, and for one that is nowhere on the traveller's
    ///   floor.
    public func progress(of position: TravellerPosition, on route: IndoorRoute) -> RouteProgress? {
        RouteTrace(route).progress(of: position)
    }

    /// The arrow along a route, and the rooms on the same floor within a distance. A room without
    /// an outline is at its nearest location.
    ///
    /// - Parameter route: nil for the cards alone.
    public func guidance(
        for position: TravellerPosition, on route: IndoorRoute?, cardsWithinMetres: Double = 15,
        mostCards: Int = 12
    ) -> RouteGuidance {
        let trace = route.map { RouteTrace($0) }
        let progress = trace?.progress(of: position)
        let target = progress.flatMap { trace?.target(from: position, $0) }
        return RouteGuidance(
            arrow: target.map { arrow(from: position, to: $0) }, progress: progress,
            cards: cards(around: position, within: cardsWithinMetres, mostCards))
    }

    private func arrow(from position: TravellerPosition, to target: Point) -> GuidanceArrow {
        let bearing = trueBearing(from: position.point, to: target)
        let distance = position.point.distance(to: target)
        // The position may be anywhere in its circle of error. Seen from the target, the circle's
        // radius has this angle.
        let byPosition =
            distance > position.radiusMetres
            ? asin(position.radiusMetres / distance) * 180 / .pi : 180
        let turn = position.headingDegrees.map { remainder(bearing - $0, 360) }
        return GuidanceArrow(
            bearingDegrees: bearing,
            accuracyDegrees: min(180, byPosition + (position.headingErrorDegrees ?? 0)),
            turnDegrees: turn, target: target)
    }

    /// Degrees clockwise from true north, in 0 ..< 360.
    func trueBearing(from start: Point, to end: Point) -> Double {
        let inFrame = atan2(end.x - start.x, end.y - start.y) * 180 / .pi
        let bearing = (inFrame + network.site.frame.bearingDegrees)
            .truncatingRemainder(dividingBy: 360)
        return bearing < 0 ? bearing + 360 : bearing
    }
}
