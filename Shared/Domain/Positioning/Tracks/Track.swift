public import Site

/// A positioner that uses a device's scans in sequence. It is a filter over the site's walkable
/// graph, and gets its evidence from a positioner of single scans.
///
/// It is a hidden Markov model of a person who stays or walks, solved by the forward algorithm.
/// `WalkableGraph`, `TrackMotion`, `TrackEvidence` and `TrackFilter` document its parts. The first
/// scan of a track gets the estimate of the positioner of single scans.
public struct Track: AdjustablePositioner {
    public var name = "track"
    var over: any Positioner
    var settings = TrackSettings()

    /// - Parameter over: a positioner of single scans.
    public init(over: any Positioner) { self.over = over }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        guard let snapshot = over.prepare(map, site: site) as? any PreparedSnapshot else {
            preconditionFailure("\(over.name) is not a positioner of single scans")
        }
        let stated = StatedFloors(map, site: site).map
        return PreparedTrack(map: stated, site: site, over: snapshot, settings: settings)
    }

    public var followsChoice: Bool { over.followsChoice }
    public var usesEvidence: Bool { true }

    public func following(_ choice: String?) -> any Positioner {
        var track = self
        track.over = over.following(choice)
        return track
    }

    public var parameters: [PositionerParameter] {
        let names = PositionerRegistry.snapshots.names
        return [PositionerParameter(name: "over", values: names.joined(separator: " | "))]
    }

    public func adjusted(_ values: [String: String]) -> (any Positioner)? {
        var adjusted = self
        for (parameter, text) in values {
            guard parameter == "over",
                let over = PositionerRegistry.snapshots[text]
            else { return nil }
            adjusted.over = over
            adjusted.name = "track-over-\(over.name)"
        }
        return adjusted
    }
}
