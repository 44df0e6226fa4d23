import Events
import Geometry
import Site

/// The floors of a site without surveys, if the site's document states where access points hang on
/// them.
///
/// All stated access points of the building count, also through other floors, so that floors can be
/// distinguished. Their path loss is the median of those fitted elsewhere at the site, otherwise
/// that of the literature.
struct UnsurveyedFloors {
    /// With fewer fits the site's own path loss is not known.
    static let fewestFits = 10
    /// Transmitters behind more floors are hardly received.
    static let mostFloorsBetween = 2

    /// The map with the access points added at the end, so that existing numbers stay.
    private(set) var map: RadioMap
    /// The path loss by the map's floor, then by transmitter: as fitted, or as is usual on these
    /// floors.
    private(set) var losses: [[Int32: FittedPathLoss]]

    /// - Parameter fitted: the path losses that were fitted on surveyed floors.
    init(_ stated: StatedFloors, site: SiteIndex, fitted: [[Int32: FittedPathLoss]]) {
        map = stated.map
        losses = fitted
        let places = site.document.accessPointPlaces
        guard !stated.byAccessPoints.isEmpty else { return }
        var numbers = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map { ($1, Int32($0)) })
        for place in places where numbers[.wifi(place.address)] == nil {
            numbers[.wifi(place.address)] = Int32(map.transmitters.count)
            map.transmitters.append(.wifi(place.address))
        }
        let usual = Self.usual(fitted)
        for index in map.floors.indices where stated.byAccessPoints.contains(map.floors[index]) {
            guard let floor = site.floor(map.floors[index]) else { continue }
            var heard: [Int32: FittedPathLoss] = [:]
            for place in places {
                guard let other = site.floor(place.floor), other.building == floor.building,
                    let number = numbers[.wifi(place.address)]
                else { continue }
                let between = abs(other.ordinal - floor.ordinal)
                guard between <= Self.mostFloorsBetween else { continue }
                var loss = usual
                loss.point = place.point
                loss.level -= FittedPathLoss.loss(ofFloors: between)
                heard[number] = loss
            }
            losses[index] = heard
        }
    }

    /// The medians of the fitted path losses. The deviation is at least the literature's, because
    /// single places differ from the median.
    private static func usual(_ fitted: [[Int32: FittedPathLoss]]) -> FittedPathLoss {
        var usual = FittedPathLoss.unmeasured(at: Point(x: 0, y: 0))
        let all = fitted.flatMap(\.values)
        guard all.count >= fewestFits else { return usual }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        usual.level = median(all.map(\.level))
        usual.exponent = median(all.map(\.exponent))
        usual.deviation = max(usual.deviation, median(all.map(\.deviation)))
        return usual
    }
}
