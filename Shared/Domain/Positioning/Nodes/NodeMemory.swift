import Glibc

/// The levels at which nodes heard one device lately, smoothed, and the room that was published.
///
/// Each node has a fast and a slow mean. While both agree, the device is at rest, and the slow mean
/// has hardly any noise. Where they differ the device has moved, and the slow one begins anew.
struct NodeMemory: Hashable, Sendable {
    /// The memories of the means.
    static let fastSeconds: Float = 8
    static let slowSeconds: Float = 300
    /// A node that has not heard the device for this long does not hear it any more.
    static let silentSeconds: Float = 20
    /// A longer time without any scan ends the memory.
    static let longestGapSeconds = 90.0
    /// The noise of single readings, in dB, and the time in which it changes.
    static let noiseDeviation: Float = 4
    static let noiseSeconds: Float = 10
    /// The mean square of the differences between both means, in squared deviations, that shows a
    /// move; and the number of nodes that must show it.
    static let movedSquare: Float = 3
    static let fewestToMove = 3
    static let mostNodes = 48

    /// The means of one node's readings, in dBm.
    struct Level: Hashable, Sendable {
        /// The node's number.
        var node: UInt16
        var fast: Float
        var slow: Float
        /// The time over which the slow mean was made, at most `slowSeconds`.
        var seconds: Float
        /// Since the last reading.
        var silence: Float

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
        }
    }

    /// Microseconds since 1970.
    var at: Int64
    /// Ordered by node.
    var levels: [Level] = []
    /// The published floor and room, as indices of the site; -1 for none.
    var floor: Int32 = -1
    var room: Int32 = -1
    /// A room that may replace the published one, and the time for which it has been the best.
    var wanted: Int32 = -1
    var wantedSeconds: Float = 0

    /// Adds the readings of a scan.
    ///
    /// - Parameter seconds: the time since the scan before.
    mutating func add(_ readings: [(node: Int, rssi: Float)], seconds: Float) {
        for index in levels.indices { levels[index].silence += seconds }
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
        levels.removeAll { $0.silence > Self.silentSeconds }
        if levels.count > Self.mostNodes {
            levels.sort { ($1.slow, $0.node) < ($0.slow, $1.node) }
            levels.removeLast(levels.count - Self.mostNodes)
        }
        levels.sort { $0.node < $1.node }
        if hasMoved {
            for index in levels.indices {
                levels[index].slow = levels[index].fast
                levels[index].seconds = min(levels[index].seconds, Self.fastSeconds)
            }
        }
    }

    /// Whether the fast means differ from the slow ones. A part that all have in common does not
    /// count, since a device that is put into a pocket has not moved.
    private var hasMoved: Bool {
        let old = levels.filter { $0.seconds > 2 * Self.fastSeconds && $0.silence == 0 }
        guard old.count >= Self.fewestToMove else { return false }
        let common = old.reduce(0) { $0 + $1.fast - $1.slow } / Float(old.count)
        let noise = Self.noiseDeviation * Self.noiseDeviation
        let square = old.reduce(Float(0)) { sum, level in
            let difference = level.fast - level.slow - common
            let variance = noise / (1 + Self.fastSeconds / Self.noiseSeconds) + level.variance
            return sum + difference * difference / variance
        }
        return square / Float(old.count - 1) > Self.movedSquare
    }
}

extension NodeMemory {
    private static let version: UInt8 = 1
    private static let headBytes = 1 + 8 + 4 * 4
    private static let levelBytes = 2 + 4 * 4

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version]
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(at)
        for value in [floor, room, wanted] { append(value) }
        append(wantedSeconds.bitPattern)
        for level in levels {
            append(level.node)
            for value in [level.fast, level.slow, level.seconds, level.silence] {
                append(value.bitPattern)
            }
        }
        return bytes
    }

    /// Nil for bytes that are no memory, or that have more nodes than there are.
    init?(_ bytes: [UInt8], nodes: Int) {
        guard bytes.count >= Self.headBytes, bytes[0] == Self.version,
            (bytes.count - Self.headBytes) % Self.levelBytes == 0
        else { return nil }
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
        wanted = read(Int32.self)
        wantedSeconds = number()
        while position < bytes.count {
            let level = Level(
                node: read(UInt16.self), fast: number(), slow: number(), seconds: number(),
                silence: number())
            guard Int(level.node) < nodes,
                [level.fast, level.slow, level.seconds, level.silence].allSatisfy(\.isFinite)
            else { return nil }
            levels.append(level)
        }
    }
}
