import Events
import Positioning

/// The words of one scan of a visitor about the access points of a radio map.
struct VisitorScan {
    enum Answer: Hashable {
        /// It is as strong as surveys say, or nearly.
        case there
        /// It is missing, or much weaker, where surveys say that it is strong.
        case missed
        /// It is strong where surveys say that it is not.
        case found
    }

    struct Word: Hashable {
        var answer: Answer
        /// An index into the ground's cells: the place by all other access points.
        var cell: Int
        /// dBm, without the device's offset; nil where it is not received.
        var level: Int?
    }

    /// dBm; an access point this strong in the surveys of a place is expected there.
    static let expectedLevel = -75.0
    /// The least part of the surveys of a place that received an expected access point.
    static let expectedShare = 0.9
    /// dBm; with the device's offset, an expected access point is still this strong.
    static let audibleLevel = -82.0
    /// Around a cell with fewer surveys nothing is expected, and nothing is new.
    static let fewestSurveys = 3
    /// dB; a larger offset of a device counts as this.
    static let mostOffset = 12.0
    /// With fewer shared access points, the offset of a device is not known.
    static let fewestShared = 5

    /// The place by all access points, as an index into the ground's cells; nil where unclear.
    private(set) var cell: Int?
    private(set) var words: [HardwareAddress: Word] = [:]

    /// Nil where the scan shares too few access points with the map.
    ///
    /// - Parameters:
    ///   - received: dBm of access points of the map.
    ///   - fresh: dBm of those that the map lacks.
    init?(
        _ received: [HardwareAddress: Int], fresh: [HardwareAddress: Int],
        on ground: VisitorGround
    ) {
        guard let offset = Self.offset(of: received, on: ground) else { return nil }
        let levels = received.mapValues { Double($0) - offset }
        let misfits = ground.misfits(of: levels)
        cell = ground.fit(misfits)
        for address in Set(received.keys).union(Self.expected(misfits, on: ground)) {
            let level = levels[address]
            guard let place = ground.fit(misfits, without: (address, level)) else { continue }
            words[address] = Self.word(address, level, offset, in: place, on: ground)
        }
        guard let cell, Self.surveys(in: ground.around(cell), on: ground) >= Self.fewestSurveys
        else { return }
        for (address, rssi) in fresh {
            let level = Double(rssi) - offset
            guard level >= ChangeVerdict.surprisingLevel else { continue }
            words[address] = Word(answer: .found, cell: cell, level: Int(level.rounded()))
        }
    }

    /// The median difference in dB to the surveys where the scan fits best; nil where that is not
    /// known.
    private static func offset(
        of received: [HardwareAddress: Int], on ground: VisitorGround
    ) -> Double? {
        let misfits = ground.misfits(of: received.mapValues(Double.init))
        guard let best = ground.nearest(misfits) else { return nil }
        let around = ground.around(best)
        var differences = received.compactMap { address, rssi in
            sum(of: address, in: around, on: ground).map { Double(rssi) - $0.mean }
        }
        guard differences.count >= fewestShared else { return nil }
        differences.sort()
        return min(max(differences[differences.count / 2], -mostOffset), mostOffset)
    }

    /// The access points that are strong where the scan fits best.
    private static func expected(
        _ misfits: [(cell: Int, misfit: VisitorGround.Misfit)], on ground: VisitorGround
    ) -> Set<HardwareAddress> {
        guard let best = ground.nearest(misfits) else { return [] }
        var strong: Set<HardwareAddress> = []
        for cell in ground.around(best) {
            for (address, known) in ground.readings[cell] where known.mean >= expectedLevel {
                strong.insert(address)
            }
        }
        return strong
    }

    private static func surveys(in cells: [Int], on ground: VisitorGround) -> Int {
        cells.reduce(0) { $0 + ground.scans[$1] }
    }

    private static func sum(
        of address: HardwareAddress, in cells: [Int], on ground: VisitorGround
    ) -> HeardSum? {
        var sum = HeardSum()
        for cell in cells {
            if let known = ground.readings[cell][address] { sum += known.sum }
        }
        return sum.count > 0 ? sum : nil
    }

    private static func word(
        _ address: HardwareAddress, _ level: Double?, _ offset: Double, in cell: Int,
        on ground: VisitorGround
    ) -> Word? {
        let around = ground.around(cell)
        let surveys = surveys(in: around, on: ground)
        guard surveys >= fewestSurveys else { return nil }
        let known = sum(of: address, in: around, on: ground)
        let rounded = level.map { Int($0.rounded()) }
        if let known, known.mean >= expectedLevel, known.mean + offset >= audibleLevel,
            Double(known.count) >= expectedShare * Double(surveys)
        {
            let isThere = level.map { $0 > known.mean - ChangeVerdict.difference } ?? false
            return Word(answer: isThere ? .there : .missed, cell: cell, level: rounded)
        }
        guard let level, level >= ChangeVerdict.surprisingLevel else { return nil }
        let strongest = around.lazy.compactMap { ground.readings[$0][address]?.mean }.max()
        guard level >= (strongest ?? HeardSignals.unheardLevel) + ChangeVerdict.difference else {
            return nil
        }
        return Word(answer: .found, cell: cell, level: rounded)
    }
}
