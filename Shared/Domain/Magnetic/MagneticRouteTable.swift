public import Events

/// The magnetic routes of a site, built from their events. Only the profile of each recording is
/// kept, so that many sites fit into memory.
public struct MagneticRouteTable: Sendable {
    private struct Entry: Sendable {
        var state: MagneticRouteState
        /// The profile of the newest recording; nil where that can't be used.
        var profile: MagneticProfile?
    }

    private let site: SiteID
    private var entries: [MagneticRouteID: Entry] = [:]

    public init(site: SiteID) { self.site = site }

    /// The valid routes, ordered by id.
    public var routes: [MatchableRoute] {
        entries.values.compactMap { entry in
            entry.profile.flatMap { entry.state.matchable($0) }
        }.sorted { $0.id.text < $1.id.text }
    }

    /// The versions of the valid routes, ordered by id. They change with every change of `routes`.
    public var versions: [String] {
        entries.values.filter { $0.state.stage == .valid }
            .map { "\($0.state.route.text)/\($0.state.version)" }.sorted()
    }

    public mutating func evolve(_ event: MagneticRouteRecorded) {
        change(event.route) { entry in
            guard event.version > entry.state.version else { return }
            entry.profile = try? MagneticRouteState.profile(event.polyline, event.walk)
            var slim = event
            slim.walk = MagneticWalk(samples: [])
            entry.state.evolve(slim)
        }
    }

    public mutating func evolve(_ event: MagneticRouteValidated) {
        change(event.route) { entry in
            guard event.version > entry.state.version else { return }
            var slim = event
            slim.walk = MagneticWalk(samples: [])
            if let recorded = event.recorded {
                if recorded.version != entry.state.recording?.version {
                    entry.profile = try? MagneticRouteState.profile(
                        recorded.polyline, recorded.walk)
                }
                slim.recorded?.walk = MagneticWalk(samples: [])
            }
            entry.state.evolve(slim)
        }
    }

    public mutating func evolve(_ event: MagneticRouteDeleted) {
        change(event.route) { entry in
            entry.state.evolve(event)
            if entry.state.stage == .deleted { entry.profile = nil }
        }
    }

    private mutating func change(_ route: MagneticRouteID, _ body: (inout Entry) -> Void) {
        let empty = Entry(state: MagneticRouteState(site: site, route: route))
        body(&entries[route, default: empty])
    }
}
