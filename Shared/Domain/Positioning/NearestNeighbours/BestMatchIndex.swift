/// The surveys that received each transmitter, ordered by RSSI, so that a binary search finds the
/// nearest ones to a reading.
struct BestMatchIndex: Sendable {
    private let reading: BestMatch.Reading
    private let transmitters: TransmitterNumbers
    private let start: [Int32]
    /// Ascending within a transmitter; equal RSSIs are ordered by fingerprint.
    private let rssi: [Int8]
    private let fingerprints: [Int32]
    private let placeOfFingerprint: [Int32]
    private let firstOfPlace: [Int32]

    init(_ map: RadioMap, reading: BestMatch.Reading) {
        self.reading = reading
        transmitters = TransmitterNumbers(map)
        var rows: [(transmitter: Int32, rssi: Int8, fingerprint: Int32)] = []
        rows.reserveCapacity(map.readingRSSI.count)
        var firstOfPlace = [Int32](repeating: .max, count: map.places.count)
        for (fingerprint, known) in map.fingerprints.enumerated() {
            let number = Int32(fingerprint)
            firstOfPlace[Int(known.place)] = min(firstOfPlace[Int(known.place)], number)
            for position in map.readings(of: fingerprint) {
                rows.append((map.readingTransmitter[position], map.readingRSSI[position], number))
            }
        }
        rows.sort { $0 < $1 }
        start = map.readingStartByTransmitter
        self.firstOfPlace = firstOfPlace
        rssi = rows.map(\.rssi)
        fingerprints = rows.map(\.fingerprint)
        placeOfFingerprint = map.fingerprints.map(\.place)
    }

    /// The first fingerprint of the place with the most marks, and its number of marks. Nil when no
    /// transmitter of the scan is in the map.
    ///
    /// - Parameter isLeftOut: whether a fingerprint must not be used.
    func match(
        _ scan: RadioScan, scratch: inout BestMatchScratch, isLeftOut: ((Int) -> Bool)?
    ) -> (fingerprint: Int, marks: Int)? {
        scratch.fit(places: firstOfPlace.count)
        var touched = 0
        for (number, heard) in scan.readings.enumerated() {
            guard let transmitter = transmitters[heard.transmitter] else { continue }
            var first = Int32.max
            forEachNearest(heard.rssi, Int(transmitter), isLeftOut) { fingerprint in
                if reading == .firstRow {
                    first = min(first, fingerprint)
                } else {
                    mark(fingerprint, number, &touched, &scratch)
                }
            }
            if first != .max { mark(first, number, &touched, &scratch) }
        }
        var best: (first: Int32, marks: Float) = (.max, 0)
        for position in 0..<touched {
            let place = Int(scratch.touched[position])
            let candidate = (first: firstOfPlace[place], marks: scratch.scores[place])
            if (-candidate.marks, candidate.first) < (-best.marks, best.first) { best = candidate }
            scratch.scores[place] = 0
            scratch.lastReading[place] = 0
        }
        return touched == 0 ? nil : (Int(best.first), Int(best.marks))
    }

    /// Marks the fingerprint's place. A reading gives each place one mark at most, however many
    /// surveys of the place agree.
    private func mark(
        _ fingerprint: Int32, _ reading: Int, _ touched: inout Int,
        _ scratch: inout BestMatchScratch
    ) {
        let place = Int(placeOfFingerprint[Int(fingerprint)])
        let current = Int32(reading + 1)
        guard scratch.lastReading[place] != current else { return }
        if scratch.lastReading[place] == 0 {
            scratch.touched[touched] = Int32(place)
            touched += 1
        }
        scratch.lastReading[place] = current
        scratch.scores[place] += 1
    }

    /// Visits every usable fingerprint with the smallest difference, above and below the reading.
    private func forEachNearest(
        _ heard: Int8, _ transmitter: Int, _ isLeftOut: ((Int) -> Bool)?, _ visit: (Int32) -> Void
    ) {
        func isUsable(_ row: Int) -> Bool { !(isLeftOut?(Int(fingerprints[row])) ?? false) }
        let rows = Int(start[transmitter])..<Int(start[transmitter + 1])
        var above = firstRow(in: rows, atLeast: heard)
        var below = above - 1
        while above < rows.upperBound, !isUsable(above) { above += 1 }
        while below >= rows.lowerBound, !isUsable(below) { below -= 1 }
        let gapAbove = above < rows.upperBound ? Int(rssi[above]) - Int(heard) : .max
        let gapBelow = below >= rows.lowerBound ? Int(heard) - Int(rssi[below]) : .max
        if gapAbove <= gapBelow, gapAbove < .max {
            let nearest = rssi[above]
            while above < rows.upperBound, rssi[above] == nearest {
                if isUsable(above) { visit(fingerprints[above]) }
                above += 1
            }
        }
        if gapBelow <= gapAbove, gapBelow < .max {
            let nearest = rssi[below]
            while below >= rows.lowerBound, rssi[below] == nearest {
                if isUsable(below) { visit(fingerprints[below]) }
                below -= 1
            }
        }
    }

    private func firstRow(in rows: Range<Int>, atLeast heard: Int8) -> Int {
        var (low, high) = (rows.lowerBound, rows.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if rssi[middle] < heard { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
