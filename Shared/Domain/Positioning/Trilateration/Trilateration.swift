import Glibc
public import Site

/// Path-loss trilateration: on each floor, the place at which what is heard fits best with how
/// strength falls with distance, and the floor on which it fits best.
///
/// Where transmitters hang, how strong they are and how fast strength falls is fitted to the
/// surveys that heard them, floor by floor. It needs fewer surveys than comparing fingerprints
/// does, and is less accurate where there are many. A floor without any survey is located where its
/// document says where access points hang (`UnsurveyedFloors`).
public struct Trilateration: Positioner {
    /// What a heard transmitter costs on a floor where it was never surveyed, in squared
    /// deviations.
    static let strangerCost = 9.0
    /// Readings are not independent as the sum of squares takes them to be.
    static let temper = 0.25

    public let name = "trilateration"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedTrilateration(map: map, site: site)
    }
}
