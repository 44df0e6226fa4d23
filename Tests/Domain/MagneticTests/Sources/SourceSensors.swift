import Events
import Geometry
import Glibc
import Magnetic
import Positioning
import SeededRandomness
import Site

@testable import Simulation

/// A scan that holds all sources, with its true place.
struct SourceScan {
    var scan: ScanRecorded
    var truth: TrueMoment
    /// The evidence of the magnetic field on the way to the scan, with and without counted steps.
    var field: [PlaceEvidence] = []
    var fieldWithoutSteps: [PlaceEvidence] = []
}

/// Radio, satellites, field and steps of people in a simulated building and around it.
///
/// Indoors the Wi-Fi is that of docs/simulator.md with noise of 6 dB. Coated glass takes another
/// 10 dB from it outdoors. Beacons send 21 dB less than access points. The steel of each storey is
/// another; the ground floor's corridors have recorded routes. Satellites are exact to some ten
/// metres outdoors and to some thirty within 3 m of a façade, where every other scan has a fix.
struct SourceSensors {
    static let region = EventID(high: 0x5EED_0000_0000_4000, low: 0x8000_0000_0000_0016)
    static let scanSeconds = 4
    static let noiseDecibels = 6.0
    private static let weakestBeacon = -95
    private static let coatedGlassDecibels = 10
    private static let beaconDecibels = -21.0
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)

    let building: SimulatedBuilding
    /// The building's document with the beacons.
    let document: SiteDocument
    let follower: MagneticFollower
    private let beacons: [AccessPoint]
    private let fields: [SimulatedField]
    private let seed: UInt64

    init(seed: UInt64) throws {
        self.seed = seed
        let building = SimulatedBuilding.make(seed: seed)
        self.building = building
        fields = (0..<SimulatedBuilding.storeys).map {
            SimulatedField(seed: Int(seed) * 10 + $0, width: 55, depth: 55)
        }
        beacons = Self.beacons(in: building)
        var document = building.document
        for (number, beacon) in beacons.enumerated() {
            document.beacons.append(
                SiteBeacon(
                    id: BeaconID("beacon-\(number)"), floor: SimulatedBuilding.floor(beacon.storey),
                    point: Point(x: beacon.x, y: beacon.y), uuid: Self.region,
                    major: beacon.storey, minor: number, txPower: -59))
        }
        self.document = document
        let lines = building.document.rooms.filter {
            $0.kind == "corridor" && $0.floor == SimulatedBuilding.floor(0)
        }.map { MagneticTrackBench.middle(of: $0) }
        follower = MagneticFollower(
            try MagneticTrackBench.routes(lines, fields[0], seed: Int(seed)))
    }

    /// A beacon in each room, and one every 16 m in corridors.
    private static func beacons(in building: SimulatedBuilding) -> [AccessPoint] {
        var beacons: [AccessPoint] = []
        for storey in 0..<SimulatedBuilding.storeys {
            for room in building.plan.rooms {
                let length = max(
                    room.x.upperBound - room.x.lowerBound, room.y.upperBound - room.y.lowerBound)
                let count = room.kind == .corridor ? Int((length / 16).rounded(.up)) : 1
                for number in 0..<count {
                    let share = (Double(number) + 0.5) / Double(count)
                    let isAlongX =
                        room.x.upperBound - room.x.lowerBound
                        > room.y.upperBound - room.y.lowerBound
                    let centre = room.centre
                    let x = isAlongX ? room.x.lowerBound + share * length : centre.x
                    let y = isAlongX ? centre.y : room.y.lowerBound + share * length
                    beacons.append(
                        AccessPoint(
                            bssid: HardwareAddress(value: UInt64(beacons.count)), frequency: 2_402,
                            x: x, y: y,
                            z: Double(storey) * RadioModel.storeyMetres
                                + RadioModel.accessPointHeightMetres, storey: storey))
                }
            }
        }
        return beacons
    }

    // MARK: Scans

    /// The scans of one person.
    func scans(_ path: TruePath, number: Int) -> [SourceScan] {
        let device = DeviceID("\(path.person.rawValue)-\(number)")
        var random = SimulationRandom(
            seed: seed, part: 90_000 + UInt64(number) * 8 + UInt64(path.person.rawValue.count))
        var receiver = SimulatedReceiver(noiseSigma: Self.noiseDecibels, random: &random)
        let offset = random.uniform(-5, 5)
        var grip = Grip(random: &random)
        var states = (PositionerState.empty, PositionerState.empty)
        var scans: [SourceScan] = []
        let stride = Self.scanSeconds * TruePath.momentsPerSecond
        for first in Swift.stride(from: 0, to: path.moments.count - stride, by: stride) {
            let range = first + 1...first + stride
            let truth = path.moments[range.upperBound]
            let seconds = Double(range.upperBound) / Double(TruePath.momentsPerSecond)
            let at = Self.start.advanced(byMicroseconds: Int64(seconds * 1e6))
            let steps = path.steps.filter(range.contains).sorted()
            var scan = ScanRecorded(
                id: EventID(high: UInt64(number), low: UInt64(range.upperBound)),
                site: building.site, device: device, scanner: ScannerID(device.text), at: at,
                receivedAt: at,
                wifi: wifi(truth, seconds, &receiver, &random),
                ble: bluetooth(truth.place, offset, &random), steps: steps.count,
                gnss: fix(truth, &random))
            // A device at rest measures nothing of a way.
            if !steps.isEmpty {
                scan.magneticSamples = range.map { sample(path.moments[$0], $0, &grip, &random) }
                scan.stepsAtMilliseconds = steps.map { $0 * 1_000 / TruePath.momentsPerSecond }
            }
            scans.append(followed(scan, truth, &states))
        }
        return scans
    }

    private func followed(
        _ scan: ScanRecorded, _ truth: TrueMoment,
        _ states: inout (PositionerState, PositionerState)
    ) -> SourceScan {
        var (result, uncounted) = (SourceScan(scan: scan, truth: truth), scan)
        uncounted.steps = nil
        uncounted.stepsAtMilliseconds = []
        (result.field, states.0) = follower.follow(scan, state: states.0)
        (result.fieldWithoutSteps, states.1) = follower.follow(uncounted, state: states.1)
        return result
    }

    private func wifi(
        _ truth: TrueMoment, _ seconds: Double, _ receiver: inout SimulatedReceiver,
        _ random: inout SimulationRandom
    ) -> [WiFiReading] {
        let heard = receiver.scan(at: truth.place, seconds: seconds, in: building, random: &random)
        guard truth.isOutdoors else { return heard }
        return heard.compactMap { reading in
            var weaker = reading
            weaker.rssi -= Self.coatedGlassDecibels
            return weaker.rssi < RadioModel.weakestHeard ? nil : weaker
        }
    }

    /// A tenth of all beacons are missed.
    func bluetooth(
        _ place: PlacedDevice, _ offset: Double, _ random: inout SimulationRandom
    ) -> [BluetoothReading] {
        let hopeless = Double(Self.weakestBeacon) - Self.beaconDecibels - 3 * Self.noiseDecibels
        return beacons.enumerated().compactMap { number, beacon in
            guard
                let level = RadioModel.meanLevel(
                    from: beacon, to: place, in: building.plan, hopeless: hopeless),
                random.uniform() >= 0.1
            else { return nil }
            let noise = Self.noiseDecibels * random.gaussian()
            let rssi = Int((level + Self.beaconDecibels + offset + noise).rounded())
            guard rssi >= Self.weakestBeacon else { return nil }
            return BluetoothReading(
                uuid: Self.region, major: UInt16(beacon.storey), minor: UInt16(number),
                rssi: min(0, rssi))
        }
    }

    private func fix(_ truth: TrueMoment, _ random: inout SimulationRandom) -> SatelliteFix? {
        let place = truth.place
        let isAtFacade = min(place.x, 48 - place.x, place.y, 55 - place.y) < 3
        guard truth.isOutdoors || (isAtFacade && random.uniform() < 0.5) else { return nil }
        let accuracy = truth.isOutdoors ? random.uniform(6, 12) : random.uniform(20, 45)
        let deviation = accuracy / 1.5
        let point = Point(
            x: place.x + deviation * random.gaussian(), y: place.y + deviation * random.gaussian())
        let fix = document.frame.geographic(point)
        return SatelliteFix(
            latitude: fix.latitude, longitude: fix.longitude, accuracyMetres: accuracy)
    }

    // MARK: The field

    /// How a device is held: its magnetism, and its turn against the way, which drifts.
    private struct Grip {
        var turn: Double
        let tilt: Double
        let own: MagneticField

        init(random: inout SimulationRandom) {
            turn = random.uniform(-3, 3)
            tilt = random.uniform(0, 0.8)
            own = MagneticField(
                x: random.uniform(-0.7, 0.7), y: random.uniform(-0.7, 0.7),
                z: random.uniform(-0.7, 0.7))
        }

        /// A vector of the world on the device's axes.
        func turned(_ vector: MagneticField, _ heading: Double) -> MagneticField {
            let yaw = .pi / 2 - heading + turn
            let x = cos(yaw) * vector.x + sin(yaw) * vector.y
            let y = cos(yaw) * vector.y - sin(yaw) * vector.x
            return MagneticField(
                x: x, y: cos(tilt) * y + sin(tilt) * vector.z,
                z: cos(tilt) * vector.z - sin(tilt) * y)
        }
    }

    private func sample(
        _ moment: TrueMoment, _ index: Int, _ grip: inout Grip, _ random: inout SimulationRandom
    ) -> MagneticSample {
        grip.turn += random.uniform(-0.08, 0.08)
        let storey = min(max(moment.storey, 0), fields.count - 1)
        let field = grip.turned(
            fields[storey].at(moment.place.x, moment.place.y), moment.place.heading)
        func blurred(_ value: Double) -> Double { value + random.uniform(-1.4, 1.4) }
        return MagneticSample(
            atMilliseconds: index * 1_000 / TruePath.momentsPerSecond,
            field: MagneticField(
                x: blurred(field.x + grip.own.x), y: blurred(field.y + grip.own.y),
                z: blurred(field.z + grip.own.z)),
            gravity: grip.turned(MagneticField(x: 0, y: 0, z: -9.81), moment.place.heading))
    }
}
