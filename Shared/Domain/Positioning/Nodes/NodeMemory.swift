import Glibc

/// The levels at which nodes heard one device lately, smoothed, and the room that was published.
///
/// Each node has a fast and a slow mean. While both agree, the device is at rest, and the slow mean
/// has hardly any noise. Where they differ the device has moved, and the slow one begins anew.
///
/// A node that hears only a part of the scans hears the strong ones, so its mean is too high. The
/// share of the scans that it heard says by how much.
struct NodeMemory: Hashable, Sendable {
    /// The memories of the means.
    static let fastSeconds: Float = 8
    static let slowSeconds: Float = 300
    /// A node that hears all scans, and was silent for this long, does not hear the device any
    /// more. One that hears a part of them may be silent longer, by its share.
    static let silentSeconds: Float = 20
    static let longestSilentSeconds: Float = 100
    /// A longer time without any scan ends the memory.
    static let longestGapSeconds = 90.0
    /// The noise of single readings, in dB, and the time in which it changes.
    static let noiseDeviation: Float = 4
    static let noiseSeconds: Float = 10
    /// The standard normal quantile of .9995. Noise alone seems a move once in 2,000 windows, and
    /// in two separate ones hardly ever.
    static let movedQuantile: Float = 3.29
    static let fewestToMove = 3
    /// A node with a smaller share has a mean that is too high.
    static let fullShare: Float = 0.9
    /// Before any scan, the share is taken to be the full one, with the weight of so many scans.
    static let priorScans: Float = 2
    /// A signal that is heard less often says no more about its strength.
    static let leastShare: Float = 0.05
    /// If a node with at least this share falls silent, the scans before are of another place.
    static let usualShare: Float = 0.5
    static let mostNodes = 48

    /// The means of one node's readings, in dBm.
    struct Level: Hashable, Sendable {
        /// The node's number.
        var node: UInt16
        var fast: Float
        var slow: Float
        /// The time over which the slow mean was made, at most `slowSeconds`.
        var seconds: Float
        /// Since the last reading, in seconds and in scans.
        var silence: Float
        var missed: Float = 0
        /// The number of scans since the averaging began that it heard.
        var hits: Float = 1

        /// The variance of the slow mean by noise, in squared dB.
        var variance: Float {
            let deviation = NodeMemory.noiseDeviation
            return deviation * deviation / (1 + seconds / NodeMemory.noiseSeconds)
        }

        mutating func add(_ rssi: Float, after gap: Float) {
            let elapsed = min(seconds + gap, NodeMemory.slowSeconds)
            fast += (1 - exp(-gap / NodeMemory.fastSeconds)) * (rssi - fast)
            // A plain mean until the memory is full.
            slow += gap / (elapsed + NodeMemory.noiseSeconds) * (rssi - slow)
            seconds = elapsed
            silence = 0
            missed = 0
            hits += 1
        }

        /// The share of the scans that it heard, before it fell silent.
        func share(before scans: Float) -> Float { min(1, hits / max(1, scans - missed)) }
    }

    /// Microseconds since 1970.
    var at: Int64
    /// Ordered by node.
    var levels: [Level] = []
    /// The published floor and room, as indices of the site; -1 for none.
    var floor: Int32 = -1
    var room: Int32 = -1
    /// The probability of each room over time.
    var rooms = RoomFilter()
    /// The time since the first scan, at most `RoomFilter.settlingSeconds`.
    var seconds: Float = 0
    /// The time over which the scans were counted, at most `slowSeconds`; and their number.
    var age: Float = 0
    var scans: Float = 0
    /// The time for which the means have differed; -1 while they agree.
    var movedSeconds: Float = -1

    /// Adds the readings of a scan.
    ///
    /// - Parameter seconds: the time since the scan before.
    mutating func add(_ readings: [(node: Int, rssi: Float)], seconds: Float) {
        count(seconds)
        for reading in readings {
            let node = UInt16(truncatingIfNeeded: reading.node)
            if let known = levels.firstIndex(where: { $0.node == node }) {
                levels[known].add(reading.rssi, after: max(0.1, levels[known].silence))
            } else {
                levels.append(
                    Level(
                        node: node, fast: reading.rssi, slow: reading.rssi, seconds: 0, silence: 0))
            }
        }
        forget()
        if levels.count > Self.mostNodes {
            levels.sort { ($1.slow, $0.node) < ($0.slow, $1.node) }
            levels.removeLast(levels.count - Self.mostNodes)
        }
        levels.sort { $0.node < $1.node }
        follow(after: seconds)
    }

    /// Decides whether the device has moved.
    private mutating func follow(after seconds: Float) {
        if movedSeconds >= 0 { movedSeconds += seconds }
        // Too few nodes in one scan say nothing.
        guard let isDifferent else { return }
        if !isDifferent {
            movedSeconds = -1
        } else if movedSeconds < 0 {
            movedSeconds = 0
        } else if movedSeconds >= 2 * Self.fastSeconds {
            // The fast means of two windows that are so far apart have little in common.
            beginAnew()
        }
    }

    /// Counts a scan. Once the slow means are full, earlier scans count as they do in these.
    private mutating func count(_ seconds: Float) {
        self.seconds = min(self.seconds + seconds, RoomFilter.settlingSeconds)
        age += seconds
        scans += 1
        for index in levels.indices {
            levels[index].silence += seconds
            levels[index].missed += 1
        }
        guard age > Self.slowSeconds else { return }
        let kept = Self.slowSeconds / age
        age = Self.slowSeconds
        scans *= kept
        for index in levels.indices { levels[index].hits *= kept }
    }

    /// Removes the nodes that do not hear the device any more.
    private mutating func forget() {
        let (scans, count) = (self.scans, levels.count)
        var isOfAnotherPlace = false
        levels.removeAll { level in
            let share = level.share(before: scans)
            let isGone =
                level.silence * share > Self.silentSeconds
                || level.silence > Self.longestSilentSeconds
            if isGone, share >= Self.usualShare { isOfAnotherPlace = true }
            return isGone
        }
        if isOfAnotherPlace, levels.count < count { beginCounting() }
    }

    /// Forgets the place before a move.
    private mutating func beginAnew() {
        levels.removeAll { $0.silence > Self.silentSeconds }
        for index in levels.indices {
            levels[index].slow = levels[index].fast
            levels[index].seconds = min(levels[index].seconds, Self.fastSeconds)
        }
        beginCounting()
        movedSeconds = -1
    }

    private mutating func beginCounting() {
        age = min(age, Self.fastSeconds)
        scans = 1
        for index in levels.indices {
            // A node that just missed this scan may well have heard the next.
            levels[index].hits = levels[index].silence == 0 ? 1 : Self.usualShare
            levels[index].missed = 0
        }
    }

    /// The part of the slow means that is new since the scan before, after so many seconds.
    func newPart(_ seconds: Float) -> Float {
        scans <= 1 ? 1 : min(1, seconds / (age + Self.noiseSeconds))
    }

    /// The dB by which a node's slow mean is too high, because it misses weak signals.
    func excess(of level: Level) -> Float {
        let share =
            (level.hits + Self.fullShare * Self.priorScans) / (scans + Self.priorScans)
        guard share < Self.fullShare else { return 0 }
        return Float(NodeHearingModel.excess(share: Double(max(Self.leastShare, share))))
    }

    /// Whether the fast means differ from the slow ones; nil for too few of them. A part that all
    /// have in common does not count, since a device that is put into a pocket has not moved.
    private var isDifferent: Bool? {
        let old = levels.filter { $0.seconds > 2 * Self.fastSeconds && $0.silence == 0 }
        guard old.count >= Self.fewestToMove else { return nil }
        let common = old.reduce(0) { $0 + $1.fast - $1.slow } / Float(old.count)
        let noise = Self.noiseDeviation * Self.noiseDeviation
        let square = old.reduce(Float(0)) { sum, level in
            let difference = level.fast - level.slow - common
            let variance = noise / (1 + Self.fastSeconds / Self.noiseSeconds) + level.variance
            return sum + difference * difference / variance
        }
        return square > Self.mostSquare(freedom: Float(old.count - 1))
    }

    /// The quantile of the chi-square distribution (E. Wilson and M. Hilferty, "The distribution of
    /// chi-square", 1931).
    static func mostSquare(freedom: Float) -> Float {
        let part = 2 / (9 * freedom)
        let root = 1 - part + movedQuantile * part.squareRoot()
        return freedom * root * root * root
    }
}

extension NodeMemory {
    private static let version: UInt8 = 2
    private static let headBytes = 1 + 8 + 6 * 4 + 1
    private static let levelBytes = 2 + 6 * 4
    private static let roomBytes = 2 * 4

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(at)
        for value in [floor, room] { append(value) }
        for value in [seconds, age, scans, movedSeconds] { append(value.bitPattern) }
        append(UInt8(truncatingIfNeeded: rooms.shares.count))
        for share in rooms.shares {
            append(share.room)
            append(share.probability.bitPattern)
        }
        for level in levels {
            append(level.node)
            for value in level.numbers { append(value.bitPattern) }
        }
        return bytes
    }

    /// Nil for bytes that are no memory, or that have more nodes than there are.
    init?(_ bytes: [UInt8], nodes: Int) {
        guard bytes.count >= Self.headBytes, bytes[0] == Self.version else { return nil }
        let rest = bytes.count - Self.headBytes - Int(bytes[Self.headBytes - 1]) * Self.roomBytes
        guard rest >= 0, rest % Self.levelBytes == 0 else { return nil }
        var position = 1
        func read<Value: FixedWidthInteger>(_: Value.Type) -> Value {
            let size = MemoryLayout<Value>.size
            let value = bytes[position..<position + size].reversed()
                .reduce(0) { $0 << 8 | UInt64($1) }
            position += size
            return Value(truncatingIfNeeded: value)
        }
        func number() -> Float { Float(bitPattern: read(UInt32.self)) }
        at = read(Int64.self)
        floor = read(Int32.self)
        room = read(Int32.self)
        seconds = number()
        age = number()
        scans = number()
        movedSeconds = number()
        guard [seconds, age, scans].allSatisfy({ $0.isFinite && $0 >= 0 }), movedSeconds.isFinite
        else { return nil }
        for _ in 0..<read(UInt8.self) {
            let share = RoomFilter.Share(room: read(Int32.self), probability: number())
            guard (0...1).contains(share.probability) else { return nil }
            rooms.shares.append(share)
        }
        while position < bytes.count {
            let level = Level(
                node: read(UInt16.self), fast: number(), slow: number(), seconds: number(),
                silence: number(), missed: number(), hits: number())
            guard Int(level.node) < nodes, level.numbers.allSatisfy(\.isFinite) else { return nil }
            levels.append(level)
        }
    }
}

extension NodeMemory.Level {
    /// The numbers in the order in which they are stored.
    fileprivate var numbers: [Float] { [fast, slow, seconds, silence, missed, hits] }
}
