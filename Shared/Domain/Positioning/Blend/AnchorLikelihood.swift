import Geometry
import Glibc

/// How probable a scan is at each anchor: normal readings of what is heard there, a probability for
/// each transmitter to be heard at all, and one offset by which the device hears all stronger or weaker
/// than the scanners did, the one that suits the anchor best.
///
/// What an anchor knows is smoothed over its neighbours on the floor. All figures below were found by
/// leaving out telephones of the training part of UJIIndoorLoc; the results are flat around them.
struct AnchorLikelihood: Sendable {
    /// Metres; the deviation of the normal kernel between anchors.
    static let kernelMetres = 4.0
    /// Neighbours that count for less are left out.
    static let leastKernel = 0.001
    /// dB; how much readings of one transmitter differ at a place before anything is known of it ...
    static let priorDeviation = 6.0
    /// ... as if seen in so many surveys.
    static let priorSurveys = 2.0
    /// What is said of a transmitter in so many surveys is drawn towards a weak reading.
    static let priorWeakSurveys = 0.5
    /// dB over the map's weakest reading: what a transmitter is taken to be where nothing is known.
    static let weakAbove = 5.0
    /// The least probability to be heard, and to be missed.
    static let leastDetection = 0.003
    /// So many surveys of one anchor count in full; more of them are one place still.
    static let surveysOfAnchor = 5.0
    /// dB; the last ones fill up the lanes.
    static let offsets = SIMD16<Float>(-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 0, 0, 0, 0, 0)
    static let offsetCount = 11
    /// The logarithm that an offset of 1 dB costs; it grows with the square.
    static let offsetCost: Float = 0.01
    /// What the logarithm is multiplied by when the offsets of all anchors are weighed.
    static let offsetTemper: Float = 0.3
    /// Anchors less likely by this logarithm do not count for the offset.
    static let leastOffsetLogarithm: Float = -40
    /// No reading speaks louder against a place than this logarithm.
    static let leastLogarithm: Float = -10

    /// What an anchor knows of a transmitter.
    private struct Entry {
        let anchor: Int32
        /// dBm.
        let mean: Float
        /// -1 / (2 variance)
        let sharpness: Float
        /// What being heard adds beside the reading's own logarithm.
        let gain: Float
    }

    private let start: [Int32]
    private let entries: [Entry]
    /// The logarithm of hearing nothing at each anchor.
    private let silence: [Float]
    /// What anchors say that never heard the transmitter.
    private let unheard: Entry

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        let sums = AnchorSums(surveys, anchors)
        let weak = sums.weakest + Self.weakAbove
        let prior = Self.priorSurveys * Self.priorDeviation * Self.priorDeviation
        func entry(_ anchor: Int, _ own: AnchorSums.Sum, surveys: Double) -> (Entry, Double) {
            let mean =
                (own.sum + Self.priorWeakSurveys * weak) / (own.count + Self.priorWeakSurveys)
            let average = own.count > 0 ? own.sum / own.count : 0
            let scatter = max(0, own.squares - own.count * average * average)
            let variance = (scatter + prior) / (own.count + Self.priorSurveys) + 1
            let detection = min(
                max((own.count + Self.leastDetection) / (surveys + 1), Self.leastDetection),
                1 - Self.leastDetection)
            let missed = log(1 - detection)
            let gain = log(detection) - missed - log(variance / (prior / Self.priorSurveys)) / 2
            let made = Entry(
                anchor: Int32(anchor), mean: Float(mean), sharpness: Float(-0.5 / variance),
                gain: Float(gain))
            return (made, missed)
        }
        let (unheard, unheardMissed) = entry(-1, AnchorSums.Sum(), surveys: 0)
        var lists = [[Entry]](repeating: [], count: surveys.map.transmitters.count)
        var silence = [Float](repeating: 0, count: anchors.count)
        let known = sums.knownTransmitters
        sums.forEachSmoothed(kernelMetres: Self.kernelMetres, least: Self.leastKernel) {
            anchor, surveys, heard in
            var missed = unheardMissed * Double(known - heard.count)
            for (transmitter, sum) in heard {
                let (made, own) = entry(anchor, sum, surveys: surveys)
                lists[Int(transmitter)].append(made)
                missed += own
            }
            silence[anchor] = Float(missed)
        }
        self.silence = silence
        self.unheard = unheard
        start = starts(of: lists)
        entries = lists.flatMap { $0 }
    }

    /// Puts the logarithm of the scan's probability at each of `scratch.touchedAnchors` into
    /// `scratch.anchorLikelihoods`.
    func find(_ readings: [NumberedReading], scratch: inout PositionerScratch) {
        var elsewhere = -Self.offsetCost * Self.offsets * Self.offsets
        for anchor in scratch.touchedAnchors {
            scratch.offsetSums[Int(anchor)] = SIMD16()
            scratch.isTouched[Int(anchor)] = true
        }
        for reading in readings {
            let atUnheard = logarithms(unheard, reading.rssi)
            elsewhere += atUnheard
            let range =
                Int(start[Int(reading.transmitter)])..<Int(start[Int(reading.transmitter) + 1])
            add(reading.rssi, range, instead: atUnheard, &scratch)
        }
        for anchor in scratch.touchedAnchors {
            let number = Int(anchor)
            scratch.isTouched[number] = false
            scratch.offsetSums[number] += elsewhere + silence[number]
            scratch.anchorLikelihoods[number] = scratch.offsetSums[number].max()
        }
    }

    /// After `find`: by how much the telephone hears all stronger than the scanners did, in dB, weighed
    /// over all touched anchors.
    func offset(scratch: PositionerScratch) -> Float {
        var best = -Float.infinity
        for anchor in scratch.touchedAnchors {
            best = max(best, scratch.anchorLikelihoods[Int(anchor)])
        }
        var (sum, weight): (Float, Float) = (0, 0)
        for anchor in scratch.touchedAnchors {
            guard scratch.anchorLikelihoods[Int(anchor)] - best > Self.leastOffsetLogarithm else {
                continue
            }
            for lane in 0..<Self.offsetCount {
                let logarithm = scratch.offsetSums[Int(anchor)][lane] - best
                let share = exp(Self.offsetTemper * logarithm)
                sum += share * Self.offsets[lane]
                weight += share
            }
        }
        return weight > 0 ? sum / weight : 0
    }

    private func add(
        _ rssi: Float, _ range: Range<Int>, instead: SIMD16<Float>,
        _ scratch: inout PositionerScratch
    ) {
        entries.withUnsafeBufferPointer { entries in
            scratch.isTouched.withUnsafeBufferPointer { isTouched in
                scratch.offsetSums.withUnsafeMutableBufferPointer { sums in
                    for position in range {
                        let entry = entries[position]
                        let anchor = Int(entry.anchor)
                        guard isTouched[anchor] else { continue }
                        sums[anchor] += logarithms(entry, rssi) - instead
                    }
                }
            }
        }
    }

    /// For each offset.
    @inline(__always)
    private func logarithms(_ entry: Entry, _ rssi: Float) -> SIMD16<Float> {
        let gap = (rssi - entry.mean) - Self.offsets
        let normal = gap * gap * entry.sharpness
        let least = SIMD16(repeating: Self.leastLogarithm)
        return normal.replacing(with: least, where: normal .< least) + entry.gain
    }
}
