public import Events
import Geometry
public import Site

/// A radio map with those floors without surveys on which the site's document states where
/// transmitters are: access points or beacons.
///
/// Equal maps and sites give equal numbers of floors and rooms, so all parts of a positioner can
/// make it for themselves. Making it of its own map changes nothing.
public struct StatedFloors: Sendable {
    /// With fewer access points on a floor no place can be estimated.
    static let fewestAccessPoints = 3

    /// The map with these floors and their rooms added at the end, so that existing numbers stay.
    public private(set) var map: RadioMap
    /// The floors without surveys that have enough access points.
    let byAccessPoints: Set<FloorID>
    /// The floors that beacons serve: surveys do not cover their ground (`BeaconGround`).
    public let byBeacons: Set<FloorID>
    private let site: SiteIndex

    public init(_ map: RadioMap, site: SiteIndex) {
        self.map = map
        self.site = site
        var surveys = [Int](repeating: 0, count: map.floors.count)
        for fingerprint in map.fingerprints { surveys[Int(fingerprint.floor)] += 1 }
        let counts = Dictionary(
            zip(map.floors, surveys).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
        let places = Dictionary(grouping: site.document.accessPointPlaces, by: \.floor)
        byAccessPoints = Set(
            places.filter {
                counts[$0.key, default: 0] == 0 && $0.value.count >= Self.fewestAccessPoints
            }.keys)
        byBeacons = BeaconGround.floors(map, site: site)
        let stated = byAccessPoints.union(byBeacons)
        // A floor with few surveys has most of its rooms in no survey.
        let floors = Set(map.floors)
        let rooms = Set(map.rooms)
        self.map.floors += site.document.floors.lazy.map(\.id).filter {
            stated.contains($0) && !floors.contains($0)
        }
        self.map.rooms += site.document.rooms.lazy.filter { stated.contains($0.floor) }
            .map(\.id).filter { !rooms.contains($0) }
    }

    /// The map with the transmitters that the document states, too, for an explanation of readings.
    public var whole: RadioMap {
        var whole = map
        var stated: Set<Transmitter> = []
        if !byAccessPoints.isEmpty {
            stated.formUnion(site.document.accessPointPlaces.map { .wifi($0.address) })
        }
        for beacon in site.document.beacons
        where byBeacons.contains(beacon.floor) && !beacon.isDisabled {
            if let uuid = beacon.uuid, let major = beacon.major, let minor = beacon.minor {
                stated.insert(
                    .beacon(
                        uuid: uuid, major: UInt16(clamping: major), minor: UInt16(clamping: minor)))
            } else if let address = beacon.address {
                stated.insert(.bluetooth(address))
            }
        }
        whole.transmitters += stated.subtracting(map.transmitters).sorted()
        return whole
    }

    /// The stated places of transmitters by the map's floor: of beacons on floors that they serve,
    /// and of access points on those without surveys.
    static func places(_ map: RadioMap, site: SiteIndex) -> [[Point]] {
        let surveyed = Set(map.fingerprints.map(\.floor))
        let byBeacons = BeaconGround.floors(map, site: site)
        var beacons: [FloorID: [Point]] = [:]
        for beacon in site.document.beacons where !beacon.isDisabled {
            beacons[beacon.floor, default: []].append(beacon.point)
        }
        var accessPoints: [FloorID: [Point]] = [:]
        for place in site.document.accessPointPlaces {
            accessPoints[place.floor, default: []].append(place.point)
        }
        return map.floors.indices.map { number -> [Point] in
            let floor = map.floors[number]
            let stated = surveyed.contains(Int32(number)) ? [] : accessPoints[floor] ?? []
            return (byBeacons.contains(floor) ? beacons[floor] ?? [] : []) + stated
        }
    }
}
