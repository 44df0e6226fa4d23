import Beacons
import Events
import Site

/// Ignores beacons that are received too weakly to locate with.
struct LoudEnough: BeaconFilter {
    let leastDecibelMilliwatts: Double

    func admits(_ beacon: RangedBeacon) -> Bool { beacon.rssi >= leastDecibelMilliwatts }
}

/// Corrects the loss of a phone that is carried in a pocket.
struct PocketCorrection: BeaconTransformer {
    let lossDecibels: Double
    let pathLoss: PathLoss

    mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        var corrected = beacon
        corrected.rssi += lossDecibels
        corrected.distanceMetres = pathLoss.distanceMetres(
            attenuationDecibels: corrected.attenuationDecibels)
        return corrected
    }
}

/// Four beacons along a hallway of 15 m, one every 5 m.
let uuid = EventID("f7826da6-4fa2-4e98-8024-bc5b71e0893e")!
let hallway = BeaconDocument(
    name: "Hallway", uuid: uuid, map: BeaconMapRecord(width: 15, height: 4, unitsPerMetre: 1),
    groups: [
        BeaconGroupRecord(
            id: BeaconGroupID("hallway"),
            beacons: (0..<4).map { number in
                BeaconRecord(
                    major: 1, minor: UInt16(number),
                    place: .absolute(x: Double(5 * number), y: 2))
            })
    ])
let map = try BeaconMap(hallway)

/// The strengths of one scan, by the beacons' minors, in dBm. The last one is too faint to count.
let heard = [0: -80, 1: -72, 2: -76, 3: -97].map { minor, rssi in
    BluetoothReading(uuid: uuid, major: 1, minor: UInt16(minor), rssi: rssi, txPower: -59)
}
let ranged = heard.compactMap {
    RangedBeacon($0, at: Timestamp(microseconds: 0), pathLoss: hallway.pathLoss)
}

var chain = BeaconPipeline([
    .filter(RegionFilter(map: map)), .filter(LoudEnough(leastDecibelMilliwatts: -90)),
    .transformer(PocketCorrection(lossDecibels: 6, pathLoss: hallway.pathLoss)),
])
let sightings = map.sightings(of: chain.process(ranged))
if let centre = CombinedPositioning(map: map).position(of: sightings)?.centre {
    print("\(sightings.count) beacons; x \(centre.x.rounded()) m, y \(centre.y.rounded()) m")
} else {
    print("no beacon was heard")
}
