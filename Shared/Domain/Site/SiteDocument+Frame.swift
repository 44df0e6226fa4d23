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
