import Geometry
import Glibc

/// How probable a scan is at each anchor: normal readings of what is heard there, a probability for
/// each transmitter to be heard at all, and one offset by which the device hears all stronger or
/// weaker than the scanners did, the one that suits the anchor best.
///
/// What an anchor knows is smoothed over its neighbours on the floor. All figures below were found
/// by leaving out telephones of the training part of UJIIndoorLoc; the results are flat around
/// them.
struct AnchorLikelihood: Sendable {
    /// Metres; the deviation of the normal kernel between anchors.
    static let kernelMetres = 4.0
    /// Neighbours that count for less are left out.
    static let leastKernel = 0.001
    /// dB; how much readings of one transmitter differ at a place before anything is known of it
    /// ...
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
    /// dB.
    static let offsets = OffsetLanes(
        low: SIMD4(-10, -8, -6, -4), middle: SIMD4(-2, 0, 2, 4), high: SIMD4(6, 8, 10, 10))
    /// The logarithm that an offset of 1 dB costs; it grows with the square.
    static let offsetCost: Float = 0.01
    private static let costs = OffsetLanes(
        low: -offsetCost * offsets.low * offsets.low,
        middle: -offsetCost * offsets.middle * offsets.middle,
        high: -offsetCost * offsets.high * offsets.high)
    /// What the logarithm is multiplied by when the offsets of all anchors are weighed.
    static let offsetTemper: Float = 0.3
    /// Anchors less likely by this logarithm do not count for the offset.
    static let leastOffsetLogarithm: Float = -40
    /// No reading speaks louder against a place than this logarithm.
    static let leastLogarithm: Float = -10

    /// What an anchor knows of a transmitter.
    fileprivate struct Entry {
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
    func find(_ readings: [NumberedReading], scratch: inout AnchorScratch) {
        let offsets = Self.offsets
        var elsewhere = Self.costs
        for anchor in scratch.touchedAnchors {
            scratch.offsetSums[Int(anchor)] = OffsetLanes()
        }
        for reading in readings {
            let atUnheard = unheard.logarithms(reading.rssi, offsets)
            elsewhere += atUnheard
            let range =
                Int(start[Int(reading.transmitter)])..<Int(start[Int(reading.transmitter) + 1])
            add(reading.rssi, range, instead: atUnheard, &scratch)
        }
        finish(elsewhere, &scratch)
    }

    /// Adds what all anchors have in common, and finds the offset that suits each best.
    private func finish(_ elsewhere: OffsetLanes, _ scratch: inout AnchorScratch) {
        scratch.offsetSums.withUnsafeMutableBufferPointer { sums in
            scratch.anchorLikelihoods.withUnsafeMutableBufferPointer { likelihoods in
                for anchor in scratch.touchedAnchors {
                    let number = Int(anchor)
                    var sum = sums[number]
                    sum += elsewhere
                    sum += silence[number]
                    sums[number] = sum
                    likelihoods[number] = sum.most
                }
            }
        }
    }

    /// After `find`: by how much the telephone hears all stronger than the scanners did, in dB,
    /// weighed over all touched anchors.
    func offset(scratch: AnchorScratch) -> Float {
        let offsets = Self.offsets
        var best = -Float.infinity
        for anchor in scratch.touchedAnchors {
            best = max(best, scratch.anchorLikelihoods[Int(anchor)])
        }
        var (sum, weight) = (SIMD4<Float>(), SIMD4<Float>())
        func add(_ logarithms: SIMD4<Float>, _ offsets: SIMD4<Float>, _ lanes: SIMD4<Float>) {
            let share = exponential(Self.offsetTemper * (logarithms - best)) * lanes
            sum += share * offsets
            weight += share
        }
        let all = SIMD4<Float>(repeating: 1)
        for anchor in scratch.touchedAnchors {
            guard scratch.anchorLikelihoods[Int(anchor)] - best > Self.leastOffsetLogarithm else {
                continue
            }
            let logarithms = scratch.offsetSums[Int(anchor)]
            add(logarithms.low, offsets.low, all)
            add(logarithms.middle, offsets.middle, all)
            // The last lane repeats the one before.
            add(logarithms.high, offsets.high, SIMD4(1, 1, 1, 0))
        }
        return weight.sum() > 0 ? sum.sum() / weight.sum() : 0
    }

    private func add(
        _ rssi: Float, _ range: Range<Int>, instead: OffsetLanes,
        _ scratch: inout AnchorScratch
    ) {
        let offsets = Self.offsets
        entries.withUnsafeBufferPointer { entries in
            scratch.offsetSums.withUnsafeMutableBufferPointer { sums in
                // Those of anchors that are not touched are added to what nobody reads.
                for position in range {
                    let entry = entries[position]
                    let anchor = Int(entry.anchor)
                    let found = entry.logarithms(rssi, offsets)
                    sums[anchor].low += found.low - instead.low
                    sums[anchor].middle += found.middle - instead.middle
                    sums[anchor].high += found.high - instead.high
                }
            }
        }
    }
}

extension AnchorLikelihood.Entry {
    /// For each offset.
    @inline(__always)
    fileprivate func logarithms(_ rssi: Float, _ offsets: OffsetLanes) -> OffsetLanes {
        let gap = rssi - mean
        return OffsetLanes(
            low: logarithm(gap - offsets.low), middle: logarithm(gap - offsets.middle),
            high: logarithm(gap - offsets.high))
    }

    @inline(__always)
    private func logarithm(_ gap: SIMD4<Float>) -> SIMD4<Float> {
        let least = SIMD4<Float>(repeating: AnchorLikelihood.leastLogarithm)
        return larger(least, gap * gap * sharpness) + gain
    }
}
