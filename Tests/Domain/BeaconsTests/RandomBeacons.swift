import Beacons
import Events
import Geometry
import SeededRandomness
import Site

let testRegion = EventID(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)
let otherRegion = EventID(high: 1, low: 2)

extension Timestamp {
    /// A time this many seconds after a fixed one that all tests share.
    static func second(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_800_000_000_000_000 + Int64(seconds * 1e6))
    }
}

/// A received beacon of the test region.
func ranged(
    _ major: UInt16 = 1, _ minor: UInt16, metres: Double = 1, rssi: Double = -65,
    uuid: EventID = testRegion, at: Timestamp = .second(0)
) -> RangedBeacon {
    RangedBeacon(
        identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), at: at, rssi: rssi,
        powerAtOneMetre: -59, distanceMetres: metres)
}

/// A document with one unit per metre. Its groups have beacons of major 1, with minors counted from
/// 0.
func document(_ groups: [[(Double, Double)]], ring: Bool = false) -> BeaconDocument {
    var minor: UInt16 = 0
    var records: [BeaconGroupRecord] = []
    for (index, places) in groups.enumerated() {
        let beacons = places.map { place in
            defer { minor += 1 }
            return BeaconRecord(
                major: 1, minor: minor, place: .absolute(x: place.0, y: place.1))
        }
        records.append(
            BeaconGroupRecord(id: BeaconGroupID("g\(index)"), isRing: ring, beacons: beacons))
    }
    return BeaconDocument(
        name: "test", uuid: testRegion,
        map: BeaconMapRecord(width: 1_000, height: 1_000, unitsPerMetre: 1), groups: records)
}

/// Random documents and readings from a seed.
struct RandomBeacons {
    var random: SeededRandom

    init(seed: Int) { random = SeededRandom(seed: seed) }

    /// A document with up to five groups of up to six beacons; some are disabled, some have no
    /// major or minor.
    mutating func document() -> BeaconDocument {
        var names: Set<[UInt16?]> = []
        var groups: [BeaconGroupRecord] = []
        for index in 0..<Int.random(in: 1...5, using: &random) {
            var beacons: [BeaconRecord] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let name = [number(orNone: true), number(orNone: true)]
                guard names.insert(name).inserted else { continue }
                beacons.append(
                    BeaconRecord(
                        major: name[0], minor: name[1],
                        isEnabled: Double.random(in: 0..<1, using: &random) < 0.7, place: place()))
            }
            groups.append(
                BeaconGroupRecord(
                    id: BeaconGroupID("g\(index)"),
                    isEnabled: Double.random(in: 0..<1, using: &random) < 0.8,
                    isRing: beacons.count > 2 && Bool.random(using: &random), beacons: beacons))
        }
        return BeaconDocument(
            name: "random", uuid: testRegion,
            map: BeaconMapRecord(
                width: 400, height: 300, unitsPerMetre: 8,
                verticalAxis: Bool.random(using: &random) ? .up : .down, originX: 5, originY: -7),
            groups: groups)
    }

    /// A number from a small range, so that numbers repeat.
    private mutating func number(orNone: Bool) -> UInt16? {
        orNone && Double.random(in: 0..<1, using: &random) < 0.2
            ? nil : UInt16.random(in: 0...4, using: &random)
    }

    private mutating func place() -> BeaconPlace {
        let x = Double.random(in: 0...1, using: &random)
        let y = Double.random(in: 0...1, using: &random)
        return Bool.random(using: &random)
            ? .relative(x: x, y: y) : .absolute(x: 400 * x, y: 300 * y)
    }

    mutating func heard(at: Timestamp = .second(0)) -> [RangedBeacon] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            ranged(
                number(orNone: false)!, number(orNone: false)!,
                metres: Double.random(in: 0...20, using: &random),
                rssi: Double.random(in: -100 ... -40, using: &random),
                uuid: Double.random(in: 0..<1, using: &random) < 0.9 ? testRegion : otherRegion,
                at: at)
        }
    }

    /// One to eight beacons at random places and distances.
    mutating func sightings() -> [BeaconSighting] {
        (0..<Int.random(in: 1...8, using: &random)).map { index in
            BeaconSighting(
                beacon: BeaconIndex(index), point: point(),
                distanceMetres: Double.random(in: 0...20, using: &random))
        }.shuffled(using: &random)
    }

    mutating func point() -> Point {
        Point(
            x: .random(in: 0...100, using: &random), y: .random(in: 0...100, using: &random))
    }
}

/// The beacon of the document with this identity, found by a search through all: the most specific
/// one.
func slowBeacon(
    _ identity: BeaconIdentity, in document: BeaconDocument
) -> (group: Int, place: Int)? {
    guard identity.uuid == document.uuid else { return nil }
    var best: (score: Int, group: Int, place: Int)?
    for (group, record) in document.groups.enumerated() {
        for (place, beacon) in record.beacons.enumerated() {
            if let major = beacon.major, major != identity.major { continue }
            if let minor = beacon.minor, minor != identity.minor { continue }
            let score = (beacon.minor == nil ? 0 : 2) + (beacon.major == nil ? 0 : 1)
            if score > best?.score ?? -1 { best = (score, group, place) }
        }
    }
    return best.map { ($0.group, $0.place) }
}

extension BeaconDocument {
    func isEnabled(_ found: (group: Int, place: Int)) -> Bool {
        groups[found.group].isEnabled && groups[found.group].beacons[found.place].isEnabled
    }
}
