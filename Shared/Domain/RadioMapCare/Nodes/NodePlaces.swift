import Events
import Geometry
import Positioning
public import Site

/// The places of a site's scanners and beacons, each with the hour in which it came there.
///
/// Hearings have no places. So those from before a move would be fitted with the new place, and
/// make a node seem deaf. They are left out.
public struct NodePlaces: Hashable, Sendable {
    public struct Stay: Hashable, Sendable {
        /// Floor, metres and height, to be compared.
        public var place: String
        /// Hours since 1970; 0 for one that was there before anything was noted.
        public var since: Int

        public init(place: String, since: Int) {
            self.place = place
            self.since = since
        }
    }

    public let stays: [NodeSource: Stay]

    public init(_ stays: [NodeSource: Stay] = [:]) { self.stays = stays }

    /// The places of a published site.
    ///
    /// - Parameters:
    ///   - known: the places that were noted before; empty if nothing was.
    ///   - hour: the present one.
    public init(_ document: SiteDocument, known: NodePlaces, at hour: Int) {
        let usual = RadioPaths.usualHeightMetres
        var places: [NodeSource: String] = [:]
        for scanner in document.scanners {
            places[.node(scanner.id)] = Self.text(
                scanner.floor, scanner.point, scanner.heightMetres ?? usual)
        }
        for beacon in document.beacons {
            places[.beacon(beacon.id)] = Self.text(beacon.floor, beacon.point, usual)
        }
        var stays: [NodeSource: Stay] = [:]
        for (source, place) in places {
            let before = known.stays[source]
            let isThere = known.stays.isEmpty || before?.place == place
            stays[source] = Stay(place: place, since: isThere ? before?.since ?? 0 : hour)
        }
        self.stays = stays
    }

    private static func text(_ floor: FloorID, _ point: Point, _ height: Double) -> String {
        "\(floor.text) \(point.x) \(point.y) \(height)"
    }

    /// The hour in which it came to its place.
    func since(_ source: NodeSource) -> Int { stays[source]?.since ?? 0 }

    /// Whether both have been where they are for all of the hearing's hour.
    func cover(_ hearing: NodeHearing) -> Bool {
        hearing.hour > max(since(hearing.source), since(.node(hearing.node)))
    }
}
