import Events
import Glibc

/// A tracker as bytes: version, times, the tick that is being filled, steps, then the belief.
///
/// Only the most probable states of the belief are kept, in ascending order. Each is stored as the
/// gap to the one before and a byte for the logarithm of its probability. The first state of a cell
/// is followed by a byte for each of the cell's two offsets. The rest of the belief is spread
/// evenly over the other states, with the mean offsets. Seven hundred states fill at most 3 kB.
extension MagneticTracker {
    static let bytesVersion: UInt8 = 2
    static let keptStates = 700
    /// States below this share of the most probable one are not kept.
    static let leastShare = 1e-5
    /// The step of a probability's logarithm.
    private static let step = 0.05
    /// The step of an offset in microtesla, of which a byte holds 127 in each direction.
    static let offsetStep = 0.5

    public var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.bytesVersion, tickBegan == nil ? 0 : 1, steps == nil ? 0 : 1]
        append(tickBegan ?? 0, to: &bytes)
        append(newest, to: &bytes)
        append(Int(count), to: &bytes)
        append(Int(countWithGravity), to: &bytes)
        append(sum.magnitude, to: &bytes)
        append(sum.down ?? 0, to: &bytes)
        bytes.append(UInt8(steps?.count ?? 0))
        for step in steps ?? [] { append(step, to: &bytes) }
        append(belief.elsewhere, to: &bytes)
        append(belief.offsets.variance, to: &bytes)
        let kept = likeliest
        append(kept.reduce(0) { $0 + belief.chances[$1] }, to: &bytes)
        let largest = kept.reduce(0) { max($0, belief.chances[$1]) }
        var previous = -1
        for state in kept {
            var gap = UInt32(state - previous)
            while gap >= 0x80 {
                bytes.append(UInt8(gap & 0x7F) | 0x80)
                gap >>= 7
            }
            bytes.append(UInt8(gap))
            let logarithm = -log(belief.chances[state] / largest) / Self.step
            bytes.append(UInt8(min(255, logarithm.rounded())))
            let cell = state / MagneticMatcher.paces.count
            if previous < 0 || previous / MagneticMatcher.paces.count != cell {
                bytes.append(Self.byte(offset: belief.offsets.level[cell]))
                bytes.append(Self.byte(offset: belief.offsets.down[cell]))
            }
            previous = state
        }
        return bytes
    }

    /// Reads the bytes; nil if they are of another version, or damaged. They do not identify the
    /// routes of the matcher, so the caller that stores them must check those.
    public init?(_ bytes: [UInt8], _ matcher: MagneticMatcher) {
        self.init(matcher)
        var reader = ByteReader(bytes: bytes[...])
        guard reader.byte() == Self.bytesVersion, let hasTick = reader.byte(),
            let hasSteps = reader.byte(), let began = reader.integer(),
            let newest = reader.integer(), let count = reader.integer(),
            let countWithGravity = reader.integer(), let magnitude = reader.number(),
            let down = reader.number(), let stepCount = reader.byte(), stepCount <= Self.mostSteps
        else { return nil }
        tickBegan = hasTick == 1 ? began : nil
        self.newest = newest
        self.count = count
        self.countWithGravity = countWithGravity
        sum = FieldFeature(magnitude: magnitude, down: down)
        var steps: [Int] = []
        for _ in 0..<stepCount {
            guard let step = reader.integer() else { return nil }
            steps.append(step)
        }
        self.steps = hasSteps == 1 ? steps : nil
        let clocks = [began, newest] + steps
        guard clocks.allSatisfy({ Self.clock.contains($0) }), newest >= began,
            (0...1_000_000).contains(count), (0...count).contains(countWithGravity),
            let elsewhere = reader.number(), let variance = reader.number(),
            let kept = reader.number(), elsewhere >= 0, kept >= 0, elsewhere + kept <= 1 + 1e-9,
            variance > 0, variance <= Self.largestVariance,
            let belief = Self.belief(&reader, elsewhere, kept, variance, matcher)
        else { return nil }
        self.belief = belief
    }

    /// The most probable states, in ascending order.
    private var likeliest: [Int] {
        let largest = belief.chances.max() ?? 0
        guard largest > 0 else { return [] }
        var kept = belief.chances.indices.filter {
            belief.chances[$0] > Self.leastShare * largest
        }
        if kept.count > Self.keptStates {
            kept.sort { (belief.chances[$0], $1) > (belief.chances[$1], $0) }
            kept.removeLast(kept.count - Self.keptStates)
            kept.sort()
        }
        return kept
    }

    /// The variance grows for as long as there is no sample: by that of a tick's drift, and silence
    /// ends it.
    private static let largestVariance =
        MagneticOffsets.priorMicrotesla * MagneticOffsets.priorMicrotesla
        + MagneticOffsets.driftMicrotesla * MagneticOffsets.driftMicrotesla
        * Double(longestSilenceMilliseconds / MagneticMatcher.tickMilliseconds + 1)

    private static func belief(
        _ reader: inout ByteReader, _ elsewhere: Double, _ kept: Double, _ variance: Double,
        _ matcher: MagneticMatcher
    ) -> MagneticBelief? {
        let (states, paces) = (matcher.states, MagneticMatcher.paces.count)
        var chances = [Double](repeating: -1, count: states)
        var offsets: [Int: (level: Double, down: Double)] = [:]
        var (state, count, total) = (-1, 0, 0.0)
        var (level, down) = (0.0, 0.0)
        while !reader.bytes.isEmpty {
            guard let gap = reader.gap(), gap > 0, let logarithm = reader.byte() else { return nil }
            state += gap
            guard state < states else { return nil }
            if offsets[state / paces] == nil {
                guard let first = reader.byte(), let second = reader.byte() else { return nil }
                offsets[state / paces] = (offset(byte: first), offset(byte: second))
            }
            let chance = exp(-Double(logarithm) * step)
            chances[state] = chance
            total += chance
            count += 1
            level += chance * (offsets[state / paces]?.level ?? 0)
            down += chance * (offsets[state / paces]?.down ?? 0)
        }
        let rest = max(0, 1 - elsewhere - kept) / Double(max(1, states - count))
        for state in chances.indices {
            chances[state] = chances[state] < 0 ? rest : chances[state] / total * kept
        }
        let mean = total > 0 ? (level: level / total, down: down / total) : (level: 0, down: 0)
        let all = (0..<matcher.cells).map { offsets[$0] ?? mean }
        return MagneticBelief(
            chances: chances, elsewhere: elsewhere,
            offsets: MagneticOffsets(
                level: all.map(\.level), down: all.map(\.down), variance: variance))
    }

    private static func byte(offset: Double) -> UInt8 {
        UInt8(bitPattern: Int8(min(127, max(-127, (offset / offsetStep).rounded()))))
    }

    private static func offset(byte: UInt8) -> Double {
        Double(Int8(bitPattern: byte)) * offsetStep
    }

    private func append(_ integer: Int, to bytes: inout [UInt8]) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * shift))) }
    }

    private func append(_ number: Double, to bytes: inout [UInt8]) {
        append(Int(bitPattern: UInt(number.bitPattern)), to: &bytes)
    }
}

private struct ByteReader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { bytes.popFirst() }

    mutating func integer() -> Int? {
        guard bytes.count >= 8 else { return nil }
        var word: UInt = 0
        for shift in 0..<8 { word |= UInt(bytes.removeFirst()) << UInt(8 * shift) }
        return Int(bitPattern: word)
    }

    /// Nil if the value is not a number.
    mutating func number() -> Double? {
        integer().map { Double(bitPattern: UInt64(UInt(bitPattern: $0))) }
            .flatMap { $0.isFinite ? $0 : nil }
    }

    mutating func gap() -> Int? {
        var gap = 0
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            gap |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return gap }
        }
        return nil
    }
}
