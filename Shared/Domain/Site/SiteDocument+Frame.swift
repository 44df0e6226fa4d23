import Events
public import Geometry

extension SiteDocument {
    /// Where the site's metres lie on Earth.
    public var frame: LocalFrame {
        LocalFrame(
            originLatitude: originLatitude, originLongitude: originLongitude,
            bearingDegrees: bearingDegrees)
    }
}
