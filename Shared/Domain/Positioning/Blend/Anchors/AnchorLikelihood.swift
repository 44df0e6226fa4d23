import Geometry
import Glibc

/// The probability of a scan at each anchor. Readings are normal about the anchor's mean, and each
/// transmitter has a probability of being received at all. One offset for the whole device, which
/// may receive stronger or weaker than the scanners, is chosen as the best for the anchor.
///
/// An anchor's figures are smoothed over its neighbours on the floor. All constants below were
/// found by leaving out telephones of the training part of UJIIndoorLoc. The results hardly change
/// near these values.
struct AnchorLikelihood: Sendable {
    /// The standard deviation of the normal kernel between anchors, in metres.
    static let kernelMetres = 4.0
    /// Neighbours with a smaller kernel weight are left out.
    static let leastKernel = 0.001
    /// dB; the prior deviation of one transmitter's readings at a place. It counts like
    /// `priorSurveys` surveys.
    static let priorDeviation = 6.0
    /// The number of surveys that the prior deviation counts for.
    static let priorSurveys = 2.0
    /// The number of surveys that the prior weak reading (`weakAbove`) counts for in a mean.
    static let priorWeakSurveys = 0.5
    /// dB above the map's weakest reading; the mean assumed for a transmitter that an anchor never
    /// received.
    static let weakAbove = 5.0
    /// The smallest probability of receiving a transmitter, and of missing it.
    static let leastDetection = 0.003
    /// The number of surveys of one anchor that count in full. More of them still describe one
    /// place.
    static let surveysOfAnchor = 5.0
    /// The device offsets that are tried, in dB.
    static let offsets = OffsetLanes(
        low: SIMD4(-10, -8, -6, -4), middle: SIMD4(-2, 0, 2, 4), high: SIMD4(6, 8, 10, 10))
    /// The logarithm that an offset of 1 dB costs; the cost grows with the square of the offset.
    static let offsetCost: Float = 0.01
    private static let costs = OffsetLanes(
        low: -offsetCost * offsets.low * offsets.low,
        middle: -offsetCost * offsets.middle * offsets.middle,
        high: -offsetCost * offsets.high * offsets.high)
    /// The factor of the logarithms when the offsets of all anchors are averaged.
    static let offsetTemper: Float = 0.3
    /// Anchors below the best by this logarithm do not count in the mean offset.
    static let leastOffsetLogarithm: Float = -40
    /// The lowest logarithm of one reading, so that a single reading cannot exclude a place.
    static let leastLogarithm: Float = -10

    /// The figures of one transmitter at one anchor.
    fileprivate struct Entry {
        let anchor: Int32
        /// dBm.
        let mean: Float
        /// -1 / (2 variance)
        let sharpness: Float
        /// The logarithm that is added when the transmitter is received, whatever its strength.
        let gain: Float
    }

    private let start: [Int32]
    private let entries: [Entry]
    /// For each anchor, the logarithm of the probability that nothing is received.
    private let silence: [Float]
    /// The entry used for anchors that never received the transmitter.
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

    /// Adds the terms that all anchors share, and picks the best offset of each anchor.
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

    /// The offset by which the telephone receives all transmitters stronger than the scanners did,
    /// in dB. It is a weighted mean over all touched anchors. Call it after `find`.
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
            // The last lane is a copy of the offset before it.
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
                // Anchors that are not touched get sums too, which nobody reads.
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
    /// The logarithm for each offset.
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
