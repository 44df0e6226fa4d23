import Geometry
import Glibc

/// The Gaussian likelihood of a scan at every surveyed place that received one of its transmitters.
/// For each transmitter it lists the places that received it.
///
/// A place's log-likelihood is relative to that of an imagined place that received nothing. So it
/// has only two parts. For each transmitter of the place there is a loss for missing it, summed up
/// in advance. For each transmitter that the scan also received there is a gain.
struct GaussianIndex: Sendable {
    /// A surveyed place.
    struct Place: Sendable {
        let point: Point
        let floor: Int32
        let room: Int32
        /// The relative log-likelihood of a scan that receives none of the place's transmitters.
        var missed: Float
    }

    /// One transmitter at one place. A reading of x dBm adds `peak - (x - mean)^2 * sharpness` to
    /// the place's log-likelihood.
    private struct Entry {
        let place: Int32
        let mean: Float
        let sharpness: Float
        let peak: Float
    }

    /// The places by the map's number; nil for a place without surveys.
    let places: [Place?]
    private let transmitters: TransmitterNumbers
    private let start: [Int32]
    private let entries: [Entry]

    /// - Parameter isLeftOut: whether a fingerprint must not be used.
    init(_ map: RadioMap, isLeftOut: (Int) -> Bool = { _ in false }) {
        typealias Model = GaussianLikelihood
        var members = [[Int]](repeating: [], count: map.places.count)
        for (index, fingerprint) in map.fingerprints.enumerated() where !isLeftOut(index) {
            members[Int(fingerprint.place)].append(index)
        }
        var known = [[Entry]](repeating: [], count: map.transmitters.count)
        var sums = [ReadingSums](repeating: ReadingSums(), count: map.transmitters.count)
        var places: [Place?] = []
        for (number, members) in members.enumerated() {
            guard let first = members.first else {
                places.append(nil)
                continue
            }
            var heard: [Int] = []
            for position in members.lazy.flatMap({ map.readings(of: $0) }) {
                let transmitter = Int(map.readingTransmitter[position])
                if sums[transmitter].count == 0 { heard.append(transmitter) }
                sums[transmitter].add(Double(map.readingRSSI[position]))
            }
            var missed = 0.0
            for transmitter in heard.sorted() {
                let statistic = sums[transmitter].statistic(surveys: members.count)
                sums[transmitter] = ReadingSums()
                let loss = log(1 - statistic.detection) - log(1 - Model.strayDetection)
                missed += loss
                let density =
                    log(statistic.detection)
                    - log(statistic.deviation * (2 * Double.pi).squareRoot())
                let stray = log(Model.strayDetection) - log(Model.strayRange)
                known[transmitter].append(
                    Entry(
                        place: Int32(number), mean: Float(statistic.mean),
                        sharpness: Float(1 / (2 * statistic.deviation * statistic.deviation)),
                        peak: Float(density - stray - loss)))
            }
            let count = Double(members.count)
            places.append(
                Place(
                    point: Point(
                        x: members.reduce(0) { $0 + map.fingerprints[$1].point.x } / count,
                        y: members.reduce(0) { $0 + map.fingerprints[$1].point.y } / count),
                    floor: map.fingerprints[first].floor, room: map.fingerprints[first].room,
                    missed: Float(missed)))
        }
        self.places = places
        transmitters = TransmitterNumbers(map)
        start = known.reduce(into: [0]) { $0.append($0.last! + Int32($1.count)) }
        entries = known.flatMap { $0 }
    }

    /// Puts the places that received a transmitter of the scan into `scratch.touched`, and their
    /// relative log-likelihoods into `scratch.scores`. Call `forget` afterwards to clear the
    /// scores.
    ///
    /// Returns the number of these places, and the number of readings whose transmitter is in the
    /// map.
    func findLikelihoods(_ scan: RadioScan, scratch: inout GaussianScratch) -> (
        places: Int, readings: Int
    ) {
        transmitters.number(scan.readings, into: &scratch.numberedReadings)
        let touched = findLikelihoods(scratch.numberedReadings, scratch: &scratch)
        return (touched, scratch.numberedReadings.count)
    }

    /// The same for readings of transmitters of the map; returns the number of places.
    func findLikelihoods(
        _ readings: [NumberedReading], scratch: inout GaussianScratch
    ) -> Int {
        scratch.fit(places: places.count)
        var touched = 0
        for reading in readings {
            let rssi = reading.rssi
            let number = reading.transmitter
            for index in Int(start[Int(number)])..<Int(start[Int(number) + 1]) {
                let entry = entries[index]
                let place = Int(entry.place)
                if scratch.lastReading[place] == 0 {
                    scratch.lastReading[place] = 1
                    scratch.touched[touched] = entry.place
                    scratch.scores[place] = places[place]?.missed ?? 0
                    touched += 1
                }
                let gap = rssi - entry.mean
                scratch.scores[place] += entry.peak - gap * gap * entry.sharpness
            }
        }
        return touched
    }

    /// Clears the scores that `findLikelihoods` left for the first `touched` places.
    func forget(_ touched: Int, scratch: inout GaussianScratch) {
        for position in 0..<touched {
            let place = Int(scratch.touched[position])
            scratch.scores[place] = 0
            scratch.lastReading[place] = 0
        }
    }
}

/// The sums of one transmitter's readings at one place.
private struct ReadingSums {
    private(set) var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    mutating func add(_ rssi: Double) {
        count += 1
        sum += rssi
        squares += rssi * rssi
    }

    func statistic(surveys: Int) -> (mean: Double, deviation: Double, detection: Double) {
        typealias Model = GaussianLikelihood
        let mean = sum / count
        let scatter = max(0, squares - count * mean * mean)
        let prior = Model.priorSurveys * Model.priorDeviation * Model.priorDeviation
        let variance = (scatter + prior) / (count + Model.priorSurveys)
        let detection =
            (count + Model.priorDetection) / (Double(surveys) + 2 * Model.priorDetection)
        return (mean, max(Model.leastDeviation, variance.squareRoot()), detection)
    }
}
