public import Events
public import Positioning

/// Turns the stretches of magnetic field that come with a device's scans into evidence of where it
/// is: one pure function, `(scan, routes, state) -> (evidence, state)`.
public struct MagneticFollower: Sendable {
    /// Metres to either side of a route's line: half of a corridor.
    static let acrossMetres = 0.75
    /// A site's routes are matched up to so many metres together: each costs time with every
    /// sample.
    public static let mostMetres = 2_000.0

    private let matcher: MagneticMatcher
    private let routes: [MagneticRouteID: MatchableRoute]

    /// Those of the routes are used, in their order, that keep within `mostMetres`.
    public init(_ routes: [MatchableRoute]) {
        var metres = 0.0
        let used = routes.filter { route in
            guard metres + route.profile.path.lengthMetres <= Self.mostMetres else { return false }
            metres += route.profile.path.lengthMetres
            return true
        }
        matcher = MagneticMatcher(used)
        self.routes = Dictionary(used.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    public var routeCount: Int { matcher.routes.count }

    /// The evidence of the field on the way to the scan.
    ///
    /// - Parameter state: what this returned for the device's previous scan; else `.empty`.
    public func follow(
        _ scan: ScanRecorded, state: PositionerState
    ) -> (evidence: [PlaceEvidence], state: PositionerState) {
        // After a scan without samples the device may be anywhere; the next stretch is too far from
        // the last one in time to go on from it.
        guard !scan.magneticSamples.isEmpty, routeCount > 0 else { return ([], .empty) }
        var tracker =
            MagneticTracker(state.bytes, matcher) ?? MagneticTracker(matcher)
        let steps = Self.steps(scan)
        if steps == nil { tracker.stopCountingSteps() } else { tracker.countSteps() }
        _ = tracker.follow(
            MagneticWalk(samples: scan.magneticSamples, stepsAtMilliseconds: steps ?? [])
        ) { _, _ in }
        let after = PositionerState(bytes: tracker.bytes)
        // Who stands learns nothing new, and what was known has been told.
        guard steps?.isEmpty != true else { return ([], after) }
        let evidence = tracker.candidates().compactMap { candidate in
            routes[candidate.route].map { placeEvidence(candidate, $0) }
        }
        return (evidence, after)
    }

    /// When steps were made; evenly over the stretch where only their number is told. Nil where
    /// nobody counts.
    private static func steps(_ scan: ScanRecorded) -> [Int]? {
        guard scan.stepsAtMilliseconds.isEmpty else { return scan.stepsAtMilliseconds }
        guard let count = scan.steps, let first = scan.magneticSamples.first,
            let last = scan.magneticSamples.last
        else { return nil }
        let (span, overflow) = last.atMilliseconds.subtractingReportingOverflow(
            first.atMilliseconds)
        guard !overflow, span > 0, count * fastestStepMilliseconds <= span else { return nil }
        return (0..<count).map { first.atMilliseconds + (2 * $0 + 1) * span / (2 * count) }
    }

    /// More steps than one in so long were made in a longer time than that of the samples.
    private static let fastestStepMilliseconds = 250

    private func placeEvidence(
        _ candidate: MagneticCandidate, _ route: MatchableRoute
    ) -> PlaceEvidence {
        let (along, across) = (candidate.spreadMetres, Self.acrossMetres)
        return PlaceEvidence(
            floor: candidate.floor,
            point: route.profile.path.point(atArc: candidate.arcMetres),
            deviationMetres: ((along * along + across * across) / 2).squareRoot(),
            weight: candidate.weight * route.reliability)
    }
}
