public import Geometry

/// The rectangle around all that a site draws.
public struct SiteExtent: Sendable {
    /// Metres beyond it at which a place can't be meant. Gardens and streets around are nearer.
    public static let farMetres = 100.0

    /// Nil for a site without any outline, whose size nobody knows.
    private let box: BoundingBox?

    init(_ document: SiteDocument) {
        var corners = document.outline.corners
        for building in document.buildings { corners += building.outline.corners }
        for floor in document.floors { corners += floor.outline.corners }
        for room in document.rooms { corners += room.outline.corners }
        for zone in document.zones { corners += zone.outline.corners }
        var box = BoundingBox(corners)
        for location in document.locations { box?.include(location.point) }
        for connection in document.connections {
            for stop in connection.stops { box?.include(stop.point) }
        }
        self.box = box
    }

    /// Whether the point lies more than `metres` outside. No point does at a site without any
    /// outline.
    public func isFarOutside(_ point: Point, metres: Double = farMetres) -> Bool {
        guard let box else { return false }
        return !box.contains(point, tolerance: metres)
    }
}
