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
    /// With fewer access points on a floor no place can be estimated.
    static let fewestAccessPoints = 3
    /// With fewer fits the site's own path loss is not known.
    static let fewestFits = 10
    /// Transmitters behind more floors are hardly received.
    static let mostFloorsBetween = 2

    /// The map with these floors, their rooms and access points added at the end, so that existing
    /// numbers stay.
    private(set) var map: RadioMap
    /// The path loss by the map's floor, then by transmitter; only for the added floors.
    private(set) var losses: [[Int32: FittedPathLoss]]

    /// - Parameter fitted: the path losses that were fitted on surveyed floors.
    init(_ map: RadioMap, site: SiteIndex, fitted: [[Int32: FittedPathLoss]]) {
        self.map = map
        losses = [[Int32: FittedPathLoss]](repeating: [:], count: map.floors.count)
        let places = site.document.accessPointPlaces
        let surveyed = Set(map.floors)
        let known = Dictionary(grouping: places, by: \.floor).filter {
            !surveyed.contains($0.key) && $0.value.count >= Self.fewestAccessPoints
        }
        let added = site.document.floors.filter { known[$0.id] != nil }
        guard !added.isEmpty else { return }
        let ids = Set(added.map(\.id))
        self.map.floors += added.map(\.id)
        self.map.rooms += site.document.rooms.filter { ids.contains($0.floor) }.map(\.id)
        var numbers = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map { ($1, Int32($0)) })
        for place in places where numbers[.wifi(place.address)] == nil {
            numbers[.wifi(place.address)] = Int32(self.map.transmitters.count)
            self.map.transmitters.append(.wifi(place.address))
        }
        let usual = Self.usual(fitted)
        for floor in added {
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
            losses.append(heard)
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
