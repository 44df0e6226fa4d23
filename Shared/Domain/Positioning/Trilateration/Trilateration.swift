import Glibc
public import Site

/// Path-loss trilateration. On each floor it finds the place where the readings fit best with the
/// loss of strength over distance. It reports the floor with the best fit.
///
/// The place, strength and path loss of each transmitter are fitted to the surveys that received
/// it, floor by floor. That needs fewer surveys than comparing fingerprints does, but is less
/// accurate where there are many. On a floor without surveys it uses the places of access points in
/// the site's document (`UnsurveyedFloors`).
public struct Trilateration: Positioner {
    /// The cost of a received transmitter on a floor where it was never surveyed, in squared
    /// deviations.
    static let strangerCost = 9.0
    /// The factor of log-likelihoods; it is below 1 because readings are not independent.
    static let temper = 0.25

    public let name = "trilateration"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedTrilateration(map: map, site: site)
    }
}
