import Geometry
import Glibc

/// The memory of a track from scan to scan, and its form as bytes.
///
/// The bytes are version, times, the published floor and room, then the beliefs floor by floor and
/// in ascending order, and a checksum. Before the checksum is the air pressure of devices that send
/// it. A belief is the gap to the one before (a byte for gaps below 128) and a byte for the
/// logarithm of its weight. 600 beliefs fill about 1,250 bytes.
///
/// Behind the beliefs may be an entry without any. It has the checksum of the last scan's readings
/// where the others name a floor.
///
/// Floors and rooms are named by hashes, and places by slots of the floor's grid (`TrackGround`).
/// So a state outlives a new map or site: on a floor that is as it was, it is the same. On a
/// changed floor, beliefs in slots without a cell go to a cell beside them, or are left out. Bytes
/// count as no state where they can't be read, where the published floor is gone, or where most of
/// the belief is left out.
struct TrackState: Hashable, Sendable {
    static let version: UInt8 = 4
    /// The version without the time away from the place of rest, which counts as 0 there.
    private static let versionBefore: UInt8 = 3
    /// The bits of `unfittingScans` are the upper six of the byte of outdoors. They are 0 in states
    /// from before them, and programs from before them ignore them.
    private static let unfittingShift: UInt8 = 2
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
    /// The number of scans in a row from which nothing could be told.
    var silentScans: UInt8 = 0
    /// The scans in a row that may be of one of the site's unsurveyed parts (`SurveyGaps`), at most
    /// `TrackSettings.mostUnfitting`.
    var unfittingScans: UInt8 = 0
    /// The checksum of the last scan's readings; 0 for none.
    var readings: UInt32 = 0
    /// The air pressure that the device has on each floor; empty without a barometer.
    var pressure = TrackPressure()
    /// Ascending by index.
    var beliefs: [Belief]

    /// Whether the device is outside of the buildings.
    struct Outdoors: Hashable, Sendable {
        var isOutdoors = false
        /// Whether the device has sent a satellite fix since the track began.
        var hasFix = false
        /// The evidence so far.
        var odds = OutdoorsOdds()
        /// The last fix of a device that is outdoors, or the door that it left by, and the time
        /// since. An accuracy of 0 means none.
        var point = Point(x: 0, y: 0)
        var accuracyMetres: Float = 0
        var silentSeconds: Float = 0
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

    func bytes(graph: WalkableGraph) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80 + 3 * beliefs.count)
        bytes.append(Self.version)
        append(UInt64(bitPattern: at), 8, to: &bytes)
        append(UInt64(bitPattern: heardAt), 8, to: &bytes)
        bytes.append(seconds(doubtSeconds))
        append(floor < 0 ? 0 : UInt64(graph.floorHashes[Int(floor)]), 4, to: &bytes)
        append(room < 0 ? 0 : UInt64(graph.roomHashes[Int(room)]), 4, to: &bytes)
        append(tenths(scanRadius68), 2, to: &bytes)
        append(tenths(scanRadius95), 2, to: &bytes)
        bytes.append(
            (outdoors.isOutdoors ? 1 : 0) | (outdoors.hasFix ? 2 : 0)
                | unfittingScans << Self.unfittingShift)
        bytes += outdoors.odds.bytes
        if outdoors.isOutdoors {
            append(outdoors.point, to: &bytes)
            append(tenths(outdoors.accuracyMetres), 2, to: &bytes)
            bytes.append(seconds(outdoors.silentSeconds))
        }
        append(settling.point, to: &bytes)
        append(tenths(settling.seconds), 2, to: &bytes)
        append(tenths(settling.roomShare * 1_000), 2, to: &bytes)
        append(tenths(settling.awaySeconds), 2, to: &bytes)
        bytes.append(silentScans)
        let largest = beliefs.reduce(0) { max($0, $1.weight) }
        var rest = beliefs[...]
        while let first = rest.first {
            let floor = Int(graph.cells[first.cell].floor)
            let cells = graph.cells(of: floor)
            let own = rest.prefix { $0.cell < cells.upperBound }
            rest = rest.dropFirst(own.count)
            let ground = TrackGround(own, graph: graph)
            append(UInt64(graph.floorHashes[floor]), 4, to: &bytes)
            append(UInt64(own.count), 2, to: &bytes)
            append(UInt64(UInt32(bitPattern: ground.column)), 4, to: &bytes)
            append(UInt64(UInt32(bitPattern: ground.row)), 4, to: &bytes)
            append(UInt64(ground.columns), 4, to: &bytes)
            var previous = -1
            for belief in own {
                let index = ground.index(of: belief, graph: graph)
                append(gap: UInt32(index - previous), to: &bytes)
                previous = index
                bytes.append(logarithm(belief.weight / largest))
            }
        }
        if readings != 0 {
            append(UInt64(readings), 4, to: &bytes)
            append(0, 2, to: &bytes)
        }
        pressure.append(to: &bytes, at: at, graph: graph)
        append(UInt64(TrackChecksum.of(bytes)), 4, to: &bytes)
        return bytes
    }

    private func append(_ point: Point, to bytes: inout [UInt8]) {
        append(UInt64(Float(point.x).bitPattern), 4, to: &bytes)
        append(UInt64(Float(point.y).bitPattern), 4, to: &bytes)
    }

    private func append(gap: UInt32, to bytes: inout [UInt8]) {
        var gap = gap
        while gap >= 0x80 {
            bytes.append(UInt8(gap & 0x7F) | 0x80)
            gap >>= 7
        }
        bytes.append(UInt8(gap))
    }

    /// Reads the bytes; nil if they are of another version, of a floor that has changed, or
    /// damaged.
    init?(_ bytes: [UInt8], graph: WalkableGraph) {
        guard bytes.count > 4, [Self.version, Self.versionBefore].contains(bytes[0]) else {
            return nil
        }
        var reader = Reader(bytes: bytes.dropLast(4))
        var checksum = Reader(bytes: bytes.suffix(4))
        guard checksum.word(4) == UInt64(TrackChecksum.of(bytes.dropLast(4))) else { return nil }
        _ = reader.word(1)
        guard let at = reader.word(8), let heardAt = reader.word(8), let doubt = reader.word(1),
            let floor = reader.word(4), let room = reader.word(4), let radius68 = reader.word(2),
            let radius95 = reader.word(2), let flags = reader.word(1),
            let outdoors = Self.outdoors(&reader, flags),
            let settled = reader.point(), let seconds = reader.word(2),
            let share = reader.word(2),
            let away = bytes[0] == Self.versionBefore ? 0 : reader.word(2),
            let silent = reader.word(1)
        else { return nil }
        self.at = Int64(bitPattern: at)
        self.heardAt = Int64(bitPattern: heardAt)
        doubtSeconds = Float(doubt) / 4
        self.outdoors = outdoors
        let known = graph.floorHashes.firstIndex { UInt64($0) == floor }
        guard known != nil || outdoors.isOutdoors else { return nil }
        self.floor = known.map { Int32($0) } ?? -1
        self.room = graph.room(hash: UInt32(room))
        let isRoomGone = room != 0 && self.room < 0
        scanRadius68 = Float(radius68) / 10
        scanRadius95 = Float(radius95) / 10
        // A device at rest would stay without a room, if its room is gone.
        settling =
            isRoomGone
            ? TrackSettling()
            : TrackSettling(
                point: settled, seconds: Float(seconds) / 10, roomShare: Float(share) / 10_000,
                awaySeconds: Float(away) / 10)
        silentScans = UInt8(silent)
        unfittingScans = min(UInt8(flags) >> Self.unfittingShift, TrackSettings.mostUnfitting)
        beliefs = []
        var carried = TrackGround.Carried()
        while !reader.bytes.isEmpty {
            guard read(&reader, graph: graph, &carried) else { return nil }
        }
        beliefs = carried.sorted
        guard carried.isEnough || outdoors.isOutdoors else { return nil }
    }

    private static func outdoors(_ reader: inout Reader, _ flags: UInt64) -> Outdoors? {
        guard let odds = reader.odds() else { return nil }
        var outdoors = Outdoors(isOutdoors: flags & 1 != 0, hasFix: flags & 2 != 0, odds: odds)
        guard outdoors.isOutdoors else { return outdoors }
        guard let point = reader.point(), let accuracy = reader.word(2), let silent = reader.word(1)
        else { return nil }
        outdoors.point = point
        outdoors.accuracyMetres = Float(accuracy) / 10
        outdoors.silentSeconds = Float(silent) / 4
        return outdoors
    }

    /// Reads the beliefs of one floor.
    private mutating func read(
        _ reader: inout Reader, graph: WalkableGraph, _ carried: inout TrackGround.Carried
    ) -> Bool {
        guard let hash = reader.word(4), let count = reader.word(2) else { return false }
        guard count > 0 else {
            readings = UInt32(hash)
            return true
        }
        if count == TrackPressure.mark {
            guard let pressure = TrackPressure(&reader.bytes, age: hash, at: at, graph: graph)
            else { return false }
            self.pressure = pressure
            return true
        }
        guard let column = reader.word(4), let row = reader.word(4),
            let columns = reader.word(4), columns > 0
        else { return false }
        let ground = TrackGround(
            column: Int32(bitPattern: UInt32(column)), row: Int32(bitPattern: UInt32(row)),
            columns: UInt32(columns))
        let floor = graph.floorHashes.firstIndex { UInt64($0) == hash }
        var index = -1
        var place = (slot: -1, cell: TrackGround.Found.none)
        for _ in 0..<count {
            guard let gap = reader.gap(), let byte = reader.word(1), gap > 0 else { return false }
            index += Int(gap)
            let slot = index / Belief.modes
            if slot != place.slot {
                place = (slot, floor.map { ground.cell(slot, on: $0, graph) } ?? .none)
            }
            carried.add(
                place.cell, mode: index % Belief.modes, weight: Self.weights[Int(byte)])
        }
        return true
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

    /// The weight of each byte, as a share of the largest.
    private static let weights = (0...UInt8.max).map { exp(-Float($0) * step) }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func word(_ count: Int) -> UInt64? {
            guard bytes.count >= count else { return nil }
            var word: UInt64 = 0
            for (shift, byte) in bytes.prefix(count).enumerated() {
                word |= UInt64(byte) << UInt64(8 * shift)
            }
            bytes = bytes.dropFirst(count)
            return word
        }

        mutating func point() -> Point? {
            guard let x = word(4), let y = word(4) else { return nil }
            return Point(
                x: Double(Float(bitPattern: UInt32(x))), y: Double(Float(bitPattern: UInt32(y))))
        }

        mutating func odds() -> OutdoorsOdds? {
            let odds = OutdoorsOdds(bytes.prefix(OutdoorsOdds.byteCount))
            bytes = bytes.dropFirst(OutdoorsOdds.byteCount)
            return odds
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
