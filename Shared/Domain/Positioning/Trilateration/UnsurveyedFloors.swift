import Events
import Geometry
import Site

/// The floors of a site that nobody has surveyed, but of which it is known where access points
/// hang.
///
/// There each known access point of the building takes part, through floors too, so that the floors
/// can be told apart: with the path loss that was fitted elsewhere at the site, or else with that
/// of the literature.
struct UnsurveyedFloors {
    /// Fewer access points on a floor tell no place of it.
    static let fewestAccessPoints = 3
    /// Fewer fits do not say how strength falls at the site.
    static let fewestFits = 10
    /// Through more floors hardly anything is heard.
    static let mostFloorsBetween = 2

    /// The map with these floors, their rooms and their access points after its own, so that its
    /// own numbers stay.
    private(set) var map: RadioMap
    /// By floor of the map, then by transmitter; only of the added floors.
    private(set) var losses: [[Int32: FittedPathLoss]]

    /// - Parameter fitted: what was fitted on the floors that were surveyed.
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

    /// The medians of what was fitted. Single places differ from it by what the literature says, or
    /// more.
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
