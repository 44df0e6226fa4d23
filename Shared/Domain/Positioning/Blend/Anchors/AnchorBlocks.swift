/// The readings of the anchors' rows (fingerprints), laid out so that a scan reads little memory
/// and reads it in order.
///
/// The rows of an anchor lie in blocks. For each transmitter that a block received, there is one
/// byte per row. It holds the level at which the row received the transmitter.
struct AnchorBlocks: Sendable {
    /// The strength of one level, with one lane for each exponent.
    typealias Lanes = AnchorDistances.Lanes

    /// The most rows in a block. Small blocks can be skipped far more often, but there are more of
    /// them.
    static let mostRows = 32
    /// The number of rows that are compared at a time. The last rows of a block are filled up with
    /// silence.
    static let rowsAtOnce = 4
    /// dBm of level 1; each further level is half a dB stronger. Level 0 is silence.
    private static let weakest: Float = -120
    private static let levels = 242

    /// A block's readings of one transmitter that it received.
    struct Meeting {
        let block: Int32
        /// The index in `levels` of the block's first row.
        let firstLevel: Int32
        /// The level of the block's strongest reading.
        let most: UInt8
        /// A level no lower than the mean strength of the strongest `AnchorDistances.nearest` rows
        /// of the anchor. It equals `most` where the anchor has further blocks.
        let usual: UInt8
    }

    /// The strength of each level.
    let strengths: [Lanes]
    /// The sum of each row's strengths.
    let totals: [Lanes]
    /// The smallest row total of each block.
    let leastTotals: [Lanes]
    let levels: [UInt8]
    /// All meetings, ordered by transmitter, then by block.
    let meetings: [Meeting]
    private let meetingStart: [Int32]
    let touch: AnchorTouch
    /// The first block of each anchor, and the first row of each block. Each list has one more
    /// element for the end.
    private let blockStart: [Int32]
    private let rowStart: [Int32]

    var count: Int { leastTotals.count }

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        let strengths = Self.strengths(surveys, anchors)
        var blockStart: [Int32] = [0]
        var rowStart: [Int32] = [0]
        var totals = [Lanes](repeating: Lanes(), count: anchors.rows.count)
        var lists = [[Meeting]](repeating: [], count: surveys.map.transmitters.count)
        var levels: [UInt8] = []
        var readings: [NumberedReading] = []
        var heard: [(transmitter: Int32, row: Int, level: UInt8)] = []
        for anchor in 0..<anchors.count {
            let all = anchors.rows(of: anchor)
            let blocks = (all.count + Self.mostRows - 1) / Self.mostRows
            for part in 0..<blocks {
                let first = all.lowerBound + part * all.count / blocks
                let end = all.lowerBound + (part + 1) * all.count / blocks
                let rows = first..<end
                heard.removeAll(keepingCapacity: true)
                for row in rows {
                    surveys.readings(of: anchors.rows[row], into: &readings)
                    for reading in readings {
                        let level = UInt8(Self.level(reading.rssi).rounded())
                        totals[row] += strengths[Int(level)]
                        heard.append((reading.transmitter, row - rows.lowerBound, level))
                    }
                }
                heard.sort { ($0.transmitter, $0.row) < ($1.transmitter, $1.row) }
                Self.meet(
                    heard, block: Int32(rowStart.count - 1), rows: rows.count, of: blocks,
                    strengths, into: &levels, &lists)
                rowStart.append(Int32(rows.upperBound))
            }
            blockStart.append(Int32(rowStart.count - 1))
        }
        self.strengths = strengths
        self.totals = totals
        self.levels = levels
        self.blockStart = blockStart
        self.rowStart = rowStart
        leastTotals = zip(rowStart, rowStart.dropFirst()).map { first, end in
            totals[Int(first)..<Int(end)].reduce(Lanes(repeating: .infinity)) { smaller($0, $1) }
        }
        meetingStart = starts(of: lists)
        let meetings = lists.flatMap { $0 }
        self.meetings = meetings
        let anchorOfBlock = (0..<anchors.count).flatMap { anchor in
            repeatElement(Int32(anchor), count: Int(blockStart[anchor + 1] - blockStart[anchor]))
        }
        touch = AnchorTouch(
            lists.map { list in list.map { anchorOfBlock[Int($0.block)] } }, anchors: anchors.count)
    }

    /// Adds the levels of one block's rows, and a meeting for each transmitter that they received.
    ///
    /// - Parameters:
    ///   - heard: the rows' readings, ordered by transmitter and row.
    ///   - blocks: the anchor's number of blocks.
    private static func meet(
        _ heard: [(transmitter: Int32, row: Int, level: UInt8)], block: Int32, rows: Int,
        of blocks: Int, _ strengths: [Lanes], into levels: inout [UInt8],
        _ lists: inout [[Meeting]]
    ) {
        var position = 0
        while position < heard.count {
            let transmitter = heard[position].transmitter
            let first = levels.count
            levels.append(contentsOf: repeatElement(0, count: filled(rows)))
            while position < heard.count, heard[position].transmitter == transmitter {
                levels[first + heard[position].row] = heard[position].level
                position += 1
            }
            let most = levels[first...].max()!
            let usual = blocks > 1 ? most : Self.usual(levels[first...], rows, strengths)
            lists[Int(transmitter)].append(
                Meeting(block: block, firstLevel: Int32(first), most: most, usual: usual))
        }
    }

    /// The range of one transmitter's meetings in `meetings`.
    func meetings(of transmitter: Int32) -> Range<Int> {
        Int(meetingStart[Int(transmitter)])..<Int(meetingStart[Int(transmitter) + 1])
    }

    func blocks(of anchor: Int) -> Range<Int> {
        Int(blockStart[anchor])..<Int(blockStart[anchor + 1])
    }

    func rows(of block: Int) -> Range<Int> {
        Int(rowStart[block])..<Int(rowStart[block + 1])
    }

    /// The first level no weaker than the mean of the `rows` strongest readings.
    private static func usual(_ levels: ArraySlice<UInt8>, _ rows: Int, _ strengths: [Lanes])
        -> UInt8
    {
        let most = levels.sorted { $0 > $1 }.prefix(min(rows, AnchorDistances.nearest))
        let mean = most.reduce(Lanes()) { $0 + strengths[Int($1)] } / Float(most.count)
        return UInt8(strengths.firstIndex { all($0 .>= mean) } ?? Int(most[most.startIndex]))
    }

    private static func filled(_ rows: Int) -> Int {
        (rows + rowsAtOnce - 1) / rowsAtOnce * rowsAtOnce
    }

    /// The strength of any reading in dBm. It interpolates between levels, because corrected
    /// readings are no whole numbers.
    func strength(_ rssi: Float) -> Lanes {
        let level = Self.level(rssi)
        let below = Int(level)
        let share = level - Float(below)
        guard share > 0 else { return strengths[below] }
        return strengths[below] * (1 - share) + strengths[below + 1] * share
    }

    private static func level(_ rssi: Float) -> Float {
        min(max((rssi - weakest) * 2 + 1, 1), Float(levels - 1))
    }

    private static func strengths(_ surveys: SurveyReadings, _ anchors: Anchors) -> [Lanes] {
        var weakest: Float = 0
        var readings: [NumberedReading] = []
        for row in anchors.rows {
            surveys.readings(of: row, into: &readings)
            for reading in readings { weakest = min(weakest, reading.rssi) }
        }
        let minimum = Double(weakest < 0 ? weakest : -100) - 1
        return (0..<levels).map { level in
            var lanes = Lanes()
            guard level > 0 else { return lanes }
            for (lane, exponent) in AnchorDistances.exponents.enumerated() {
                let powed = SignalRepresentation.powed(exponent: exponent)
                let rssi = Double(level - 1) / 2 + Double(Self.weakest)
                lanes[lane] = Float(powed.value(rssi: rssi, minimum: minimum))
            }
            return lanes
        }
    }
}

/// The index at which each list begins when the lists are joined, with one more for the end.
func starts<Element>(of lists: [[Element]]) -> [Int32] {
    lists.reduce(into: [0]) { $0.append($0.last! + Int32($1.count)) }
}
