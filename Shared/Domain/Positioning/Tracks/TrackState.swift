import Geometry
import Glibc

/// The memory of a track from scan to scan, and its form as bytes.
///
/// The bytes are version, graph, times, the published floor and room, then the beliefs in ascending
/// order, then a checksum. A belief is the gap to the one before (a byte for gaps below 128) and a
/// byte for the logarithm of its weight. 600 beliefs fill about 1,250 bytes. Bytes that cannot be
/// read, or that were made for another graph, count as no state.
struct TrackState: Hashable, Sendable {
    static let version: UInt8 = 1
    /// The step of a weight's logarithm: 5 %, down to 3e-6 of the largest.
    private static let step: Float = 0.05

    /// The probability that the person is in a cell, and either stays there or walks in one
    /// direction.
    struct Belief: Hashable, Sendable {
        /// `modes` times the cell, plus the mode.
        var index: Int32
        var weight: Float

        /// The number of modes. Mode 0 is staying; the others are one more than a direction of
        /// `WalkableGraph.Edge`.
        static let modes = 9

        var cell: Int { Int(index) / Self.modes }
        var mode: Int { Int(index) % Self.modes }
    }

    /// The time of the last scan, in microseconds UTC.
    var at: Int64
    /// The time of the last scan with a usable reading.
    var heardAt: Int64
    /// The time for which scans have contradicted the track.
    var doubtSeconds: Float
    /// The published floor and room, as indices of the graph's floors and the site's rooms; -1 for
    /// none.
    var floor: Int32
    var room: Int32
    /// The radii of the last scan with a usable reading, by itself; in metres.
    var scanRadius68: Float
    var scanRadius95: Float
    var outdoors: Outdoors
    var settling = TrackSettling()
    /// Ascending by index.
    var beliefs: [Belief]

    /// Whether the device is outside of the buildings.
    struct Outdoors: Hashable, Sendable {
        var isOutdoors = false
        /// The time for which the evidence has pointed the other way.
        var otherSeconds: Float = 0
    }

    init(
        at: Int64, heardAt: Int64, doubtSeconds: Float = 0, floor: Int32, room: Int32,
        scanRadius68: Float, scanRadius95: Float, outdoors: Outdoors = Outdoors(), beliefs: [Belief]
    ) {
        self.at = at
        self.heardAt = heardAt
        self.doubtSeconds = doubtSeconds
        self.floor = floor
        self.room = room
        self.scanRadius68 = scanRadius68
        self.scanRadius95 = scanRadius95
        self.outdoors = outdoors
        self.beliefs = beliefs
    }

    // MARK: Bytes

    func bytes(graph: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + 3 * beliefs.count)
        bytes.append(Self.version)
        append(UInt64(graph), 4, to: &bytes)
        append(UInt64(bitPattern: at), 8, to: &bytes)
        append(UInt64(bitPattern: heardAt), 8, to: &bytes)
        bytes.append(seconds(doubtSeconds))
        append(UInt64(UInt32(bitPattern: floor)), 4, to: &bytes)
        append(UInt64(UInt32(bitPattern: room)), 4, to: &bytes)
        append(tenths(scanRadius68), 2, to: &bytes)
        append(tenths(scanRadius95), 2, to: &bytes)
        bytes.append(outdoors.isOutdoors ? 1 : 0)
        bytes.append(seconds(outdoors.otherSeconds))
        append(UInt64(Float(settling.point.x).bitPattern), 4, to: &bytes)
        append(UInt64(Float(settling.point.y).bitPattern), 4, to: &bytes)
        append(tenths(settling.seconds), 2, to: &bytes)
        append(tenths(settling.roomShare * 1_000), 2, to: &bytes)
        append(UInt64(beliefs.count), 2, to: &bytes)
        let largest = beliefs.reduce(0) { max($0, $1.weight) }
        var previous: Int32 = -1
        for belief in beliefs {
            var gap = UInt32(belief.index - previous)
            while gap >= 0x80 {
                bytes.append(UInt8(gap & 0x7F) | 0x80)
                gap >>= 7
            }
            bytes.append(UInt8(gap))
            previous = belief.index
            bytes.append(logarithm(belief.weight / largest))
        }
        append(UInt64(TrackChecksum.of(bytes)), 4, to: &bytes)
        return bytes
    }

    /// Reads the bytes; nil if they are of another version or graph, or damaged.
    init?(_ bytes: [UInt8], graph: WalkableGraph) {
        guard bytes.count > 4, bytes[0] == Self.version else { return nil }
        var reader = Reader(bytes: bytes.dropLast(4))
        var checksum = Reader(bytes: bytes.suffix(4))
        guard checksum.word(4) == UInt64(TrackChecksum.of(bytes.dropLast(4))) else { return nil }
        _ = reader.word(1)
        guard reader.word(4) == UInt64(graph.hash), let at = reader.word(8),
            let heardAt = reader.word(8), let doubt = reader.word(1), let floor = reader.word(4),
            let room = reader.word(4), let radius68 = reader.word(2),
            let radius95 = reader.word(2), let isOutdoors = reader.word(1),
            let otherSeconds = reader.word(1), let x = reader.word(4), let y = reader.word(4),
            let settled = reader.word(2), let share = reader.word(2), let count = reader.word(2)
        else { return nil }
        self.at = Int64(bitPattern: at)
        self.heardAt = Int64(bitPattern: heardAt)
        doubtSeconds = Float(doubt) / 4
        self.floor = Int32(truncatingIfNeeded: floor)
        self.room = Int32(truncatingIfNeeded: room)
        scanRadius68 = Float(radius68) / 10
        scanRadius95 = Float(radius95) / 10
        outdoors = Outdoors(isOutdoors: isOutdoors == 1, otherSeconds: Float(otherSeconds) / 4)
        settling.point.x = Double(Float(bitPattern: UInt32(truncatingIfNeeded: x)))
        settling.point.y = Double(Float(bitPattern: UInt32(truncatingIfNeeded: y)))
        settling.seconds = Float(settled) / 10
        settling.roomShare = Float(share) / 10_000
        beliefs = []
        beliefs.reserveCapacity(Int(count))
        var index = -1
        for _ in 0..<count {
            guard let gap = reader.gap(), let weight = reader.word(1) else { return nil }
            index += Int(gap)
            guard gap > 0, index < graph.cells.count * Belief.modes else { return nil }
            beliefs.append(Belief(index: Int32(index), weight: Self.weight(UInt8(weight))))
        }
        guard reader.bytes.isEmpty, self.floor < graph.floors.count else { return nil }
    }

    private func append(_ word: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for shift in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift)))
        }
    }

    /// Converts to tenths.
    private func tenths(_ value: Float) -> UInt64 {
        UInt64(max(0, min(65_535, (value * 10).rounded())))
    }

    /// Converts to quarters of a second.
    private func seconds(_ seconds: Float) -> UInt8 { UInt8(min(255, (seconds * 4).rounded())) }

    private func logarithm(_ share: Float) -> UInt8 {
        UInt8(min(255, (-log(max(share, .leastNormalMagnitude)) / Self.step).rounded()))
    }

    private static func weight(_ byte: UInt8) -> Float { exp(-Float(byte) * step) }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func word(_ count: Int) -> UInt64? {
            guard bytes.count >= count else { return nil }
            var word: UInt64 = 0
            for shift in 0..<count { word |= UInt64(bytes.removeFirst()) << UInt64(8 * shift) }
            return word
        }

        mutating func gap() -> UInt32? {
            var gap: UInt32 = 0
            for shift in stride(from: UInt32(0), to: 28, by: 7) {
                guard let byte = bytes.popFirst() else { return nil }
                gap |= UInt32(byte & 0x7F) << shift
                if byte < 0x80 { return gap }
            }
            return nil
        }
    }
}
