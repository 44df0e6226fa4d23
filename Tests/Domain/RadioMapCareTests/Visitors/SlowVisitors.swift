import Events
import Geometry
import Positioning
import Site

@testable import RadioMapCare

/// The words of a visitor's scan, worked out from all fingerprints for each question anew, and the
/// voices of a day. A second, naive implementation.
struct SlowVisitors {
    typealias Word = (answer: VisitorScan.Answer, cell: SurveyCell, level: Double?)

    private let surveys: [(cell: SurveyCell, levels: [HardwareAddress: Double])]
    private let cells: [SurveyCell]
    private let addresses: [HardwareAddress]

    init(_ map: RadioMap) {
        surveys = map.fingerprints.indices.map { number in
            let one = map.fingerprints[number]
            var levels: [HardwareAddress: Double] = [:]
            for reading in map.scan(of: number).readings {
                if case .wifi(let address) = reading.transmitter {
                    levels[address] = Double(reading.rssi)
                }
            }
            return (SurveyCell(one.point, on: map.floors[Int(one.floor)]), levels)
        }
        cells = Set(surveys.map(\.cell)).sorted()
        addresses = Set(surveys.flatMap(\.levels.keys)).sorted()
    }

    /// The levels of an access point in the surveys of some cells; nil where it is missing.
    private func levels(_ address: HardwareAddress, _ cells: [SurveyCell]) -> [Double?] {
        surveys.filter { cells.contains($0.cell) }.map { $0.levels[address] }
    }

    private func mean(_ levels: [Double]) -> Double {
        levels.reduce(0, +) / Double(levels.count)
    }

    private func misfit(
        _ scan: [HardwareAddress: Double], _ cell: SurveyCell, without: HardwareAddress?
    ) -> (mean: Double, weight: Double)? {
        var (sum, weight, shared) = (0.0, 0.0, 0)
        for address in addresses {
            let all = levels(address, [cell])
            let known = all.compactMap(\.self)
            if scan[address] != nil, !known.isEmpty { shared += 1 }
            if address == without { continue }
            let now = scan[address]
            let before = known.isEmpty ? nil : mean(known)
            guard max(now ?? -200, before ?? -200) >= -85 else { continue }
            let share = now == nil ? Double(known.count) / Double(all.count) : 1
            let difference = max(0, abs((now ?? -95) - (before ?? -95)))
            sum += share * min(difference, 30)
            weight += share
        }
        return shared == 0 ? nil : (weight == 0 ? .infinity : sum / weight, weight)
    }

    private func place(_ scan: [HardwareAddress: Double], without: HardwareAddress?) -> SurveyCell?
    {
        let all = cells.compactMap { cell in
            misfit(scan, cell, without: without).map { fit in
                (cell: cell, mean: fit.weight < 5 ? .infinity : fit.mean)
            }
        }
        guard let least = all.map(\.mean).min(), least <= 9 + 1e-9,
            let best = all.first(where: { $0.mean <= least + 1e-9 })?.cell
        else { return nil }
        let alike = all.filter { $0.mean <= least + 1 + 2e-9 }.map(\.cell)
        return alike.allSatisfy {
            $0.floor == best.floor && $0.centre.distance(to: best.centre) <= 8
        } ? best : nil
    }

    private func around(_ cell: SurveyCell) -> [SurveyCell] {
        cells.filter {
            $0.floor == cell.floor && abs($0.x - cell.x) <= 1 && abs($0.y - cell.y) <= 1
        }
    }

    /// The place, and the answers by access point with their cells; nil for a scan without offset.
    func words(
        _ received: [HardwareAddress: Int], fresh: [HardwareAddress: Int]
    ) -> (cell: SurveyCell?, words: [HardwareAddress: Word])? {
        func nearest(_ scan: [HardwareAddress: Double]) -> SurveyCell? {
            let all = cells.compactMap { cell in
                misfit(scan, cell, without: nil).map { (cell: cell, mean: $0.mean) }
            }
            let least = all.map(\.mean).min()
            return least.flatMap { least in all.first { $0.mean <= least + 1e-9 }?.cell }
        }
        guard let first = nearest(received.mapValues(Double.init)) else { return nil }
        let differences = received.compactMap { address, rssi -> Double? in
            let known = levels(address, around(first)).compactMap(\.self)
            return known.isEmpty ? nil : Double(rssi) - mean(known)
        }.sorted()
        guard differences.count >= 5 else { return nil }
        let offset = min(12, max(-12, differences[differences.count / 2]))
        let scan = received.mapValues { Double($0) - offset }
        let near = nearest(scan).map(around) ?? []
        var words: [HardwareAddress: Word] = [:]
        for address in addresses {
            let isStrong = near.contains { cell in
                let known = levels(address, [cell]).compactMap(\.self)
                return !known.isEmpty && mean(known) >= -75
            }
            guard isStrong || scan[address] != nil,
                let cell = place(scan, without: address),
                let answer = answer(address, scan[address], offset, at: cell)
            else { continue }
            words[address] = (answer, cell, scan[address])
        }
        let here = place(scan, without: nil)
        if let here, levels(HardwareAddress(value: 0), around(here)).count >= 3 {
            for (address, rssi) in fresh where Double(rssi) - offset >= -75 {
                words[address] = (.found, here, Double(rssi) - offset)
            }
        }
        return (here, words)
    }

    private func answer(
        _ address: HardwareAddress, _ level: Double?, _ offset: Double, at cell: SurveyCell
    ) -> VisitorScan.Answer? {
        let all = levels(address, around(cell))
        let known = all.compactMap(\.self)
        guard all.count >= 3 else { return nil }
        if !known.isEmpty, mean(known) >= -75, mean(known) + offset >= -82,
            Double(known.count) >= 0.9 * Double(all.count)
        {
            return (level ?? -200) > mean(known) - 15 ? .there : .missed
        }
        let strongest = around(cell).compactMap { cell -> Double? in
            let known = levels(address, [cell]).compactMap(\.self)
            return known.isEmpty ? nil : mean(known)
        }.max()
        guard let level, level >= -75, level >= (strongest ?? -95) + 15 else { return nil }
        return .found
    }

    /// A device's scans that have an offset, and what they say.
    typealias Said = [(
        scan: [HardwareAddress: Int], cell: SurveyCell?, words: [HardwareAddress: Word]
    )]

    func said(_ scans: [[HardwareAddress: Int]]) -> Said {
        scans.filter { scan in addresses.count { scan[$0] != nil } <= 200 }.compactMap { scan in
            words(
                scan.filter { addresses.contains($0.key) },
                fresh: scan.filter { !addresses.contains($0.key) }
            ).map { (scan, $0.cell, $0.words) }
        }
    }

    /// The voices about an access point on a day, from what each device said.
    func voices(about address: HardwareAddress, _ day: [Said]) -> NoticedChange.Voices {
        var voices = NoticedChange.Voices()
        var foundAt: [SurveyCell] = []
        var quiet: [Set<SurveyCell>] = []
        for scans in day {
            var counts: [VisitorScan.Answer: Int] = [:]
            var (missed, compared) = (0, 0)
            var visited: Set<SurveyCell> = []
            var isReceived = false
            var best: (level: Double, cell: SurveyCell)?
            for (scan, cell, words) in scans {
                isReceived = isReceived || scan[address] != nil
                if let cell { visited.insert(cell) }
                for (other, word) in words {
                    missed += word.answer == .missed ? 1 : 0
                    compared += word.answer == .found ? 0 : 1
                    guard other == address else { continue }
                    counts[word.answer, default: 0] += 1
                    let level = (word.level ?? -200).rounded()
                    if word.answer == .found, level > best?.level ?? -200 {
                        best = (level, word.cell)
                    }
                }
            }
            let isDeaf = compared < 20 || Double(missed) > 0.35 * Double(compared)
            let (there, lost) = (counts[.there] ?? 0, counts[.missed] ?? 0)
            if lost > there {
                voices.lost += isDeaf ? 0 : 1
            } else if there > 0 {
                voices.there += 1
            }
            if counts[.found] ?? 0 > there, let best {
                voices.found += 1
                foundAt.append(best.cell)
            }
            if !isDeaf, !isReceived { quiet.append(visited) }
        }
        let trusted = Set(foundAt.filter { one in foundAt.count { $0 == one } >= 2 })
        let cells = trusted.isEmpty ? Set(foundAt) : trusted
        if voices.found >= 3 { voices.silent = quiet.count { !$0.isDisjoint(with: cells) } }
        return voices
    }
}
