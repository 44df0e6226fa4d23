import Events
public import Geometry

extension SiteDocument {
    /// The site's frame: the origin and the direction of its metres on Earth.
    public var frame: LocalFrame {
        LocalFrame(
            originLatitude: originLatitude, originLongitude: originLongitude,
            bearingDegrees: bearingDegrees)
    }
}

extension SiteDocument {
    /// Whether the origin was set. Buildings whose place is not known lie at 0° north, 0° east, in
    /// the open sea.
    public var isPlacedOnEarth: Bool { originLatitude != 0 || originLongitude != 0 }
}
