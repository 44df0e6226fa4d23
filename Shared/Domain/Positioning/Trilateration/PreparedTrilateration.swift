import Events
import Geometry
import Glibc
import Site

struct TrilaterationScratch: CandidateMemory {
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []
}

/// Trilateration over one radio map.
struct PreparedTrilateration: PreparedSnapshot {
    private let transmitters: TransmitterNumbers
    private let site: SiteIndex
    private let map: RadioMap
    private let anchors: RangeAnchors
    /// The path loss by the map's floor, then by transmitter.
    private let losses: [[Int32: FittedPathLoss]]
    /// The floors that were never surveyed.
    private let unsurveyed: Set<Int32>
    /// The factor for the radii on those floors, so that they follow the readings' own spread.
    /// Self-tests of other floors do not apply there.
    private let unsurveyedScale: Double
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex) {
        let stated = StatedFloors(map, site: site)
        let map = stated.map
        let losses = Self.losses(of: map)
        let transmitters = TransmitterNumbers(map)
        let anchors = RangeAnchors(site)
        var scratch = TrilaterationScratch()
        // Each fit has four parameters for many readings, so that leaving out one survey would
        // change little.
        let outcomes = LeaveOutTrials(map: map).outcomes { fingerprint, _ in
            Self.guess(
                map.scan(of: fingerprint), map, site, transmitters, losses, anchors,
                scratch: &scratch
            )?.outcome(map.fingerprints[fingerprint])
        }
        let unsurveyed = UnsurveyedFloors(stated, site: site, fitted: losses)
        self.map = unsurveyed.map
        self.site = site
        self.anchors = anchors
        self.losses = unsurveyed.losses
        self.unsurveyed = Set(
            map.floors.indices.filter { stated.byAccessPoints.contains(map.floors[$0]) }
                .map { Int32($0) })
        self.transmitters = TransmitterNumbers(unsurveyed.map)
        let radii = RadiusCalibration(outcomes)
        unsurveyedScale = RadiusCalibration([]).factor68 / radii.factor68
        judge = SnapshotJudge(map: unsurveyed.map, site: site, radii: radii)
    }

    func guess(_ scan: RadioScan, scratch: inout TrilaterationScratch) -> SnapshotGuess? {
        let guess = Self.guess(
            scan, map, site, transmitters, losses, anchors, scratch: &scratch)
        guard let guess, unsurveyed.contains(guess.floor) else { return guess }
        return SnapshotGuess(
            floor: guess.floor, floorShare: guess.floorShare, mean: guess.mean,
            scale: guess.scale * unsurveyedScale, overlap: guess.overlap)
    }

    /// The path loss of each transmitter by the map's floor, fitted to the map's surveys.
    static func losses(of map: RadioMap) -> [[Int32: FittedPathLoss]] {
        var readings = [[Int32: [(point: Point, rssi: Double)]]](
            repeating: [:], count: map.floors.count)
        for (index, fingerprint) in map.fingerprints.enumerated() {
            for position in map.readings(of: index) {
                readings[Int(fingerprint.floor)][map.readingTransmitter[position], default: []]
                    .append((fingerprint.point, Double(map.readingRSSI[position])))
            }
        }
        return readings.map { $0.compactMapValues { FittedPathLoss($0) } }
    }

    private static func guess(
        _ scan: RadioScan, _ map: RadioMap, _ site: SiteIndex, _ transmitters: TransmitterNumbers,
        _ losses: [[Int32: FittedPathLoss]], _ anchors: RangeAnchors,
        scratch: inout TrilaterationScratch
    ) -> SnapshotGuess? {
        scratch.candidates.removeAll(keepingCapacity: true)
        let known = scan.readings.compactMap { reading in
            transmitters[reading.transmitter].map { (number: $0, rssi: Double(reading.rssi)) }
        }
        var answers: [(floor: Int32, answer: Multilateration.Answer, cost: Double)] = []
        let ranges = map.floors.map { anchors.ranges(scan, on: $0) }
        let most = ranges.map(\.count).max() ?? 0
        for floor in losses.indices {
            let heard = known.compactMap { reading in
                losses[floor][reading.number].map { (loss: $0, rssi: reading.rssi) }
            }
            guard let answer = Multilateration(heard: heard, ranges: ranges[floor]).answer() else {
                continue
            }
            // A floor from where an access point is out of reach is unlikely for that.
            let missing = known.count - heard.count + most - ranges[floor].count
            let strangers = Double(missing) * Trilateration.strangerCost
            // A wide density fits anything, so its lower height has to count too.
            let spread = heard.reduce(0) {
                $0 + 2 * log($1.loss.deviation / FittedPathLoss.leastDeviation)
            }
            answers.append((Int32(floor), answer, answer.cost + strangers + spread))
        }
        guard let least = answers.map(\.cost).min() else { return nil }
        for (floor, answer, cost) in answers {
            let weight = exp(-Trilateration.temper * (cost - least) / 2)
            guard weight > 1e-9 else { continue }
            answer.addCandidates(
                on: floor, weight: weight, of: map, site: site, to: &scratch.candidates)
        }
        return SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: map.floors.count,
            overlap: known.count)
    }
}
