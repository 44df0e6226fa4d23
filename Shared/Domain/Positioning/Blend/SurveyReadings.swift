/// The readings of a map's fingerprints, with or without the scanners' offsets.
struct SurveyReadings: Sendable {
    let map: RadioMap
    /// The indices of the map's fingerprints that are used, ascending.
    let fingerprints: [Int32]
    /// The offsets to remove; nil leaves the readings as they are.
    private let offsets: ScannerOffsets?

    init(_ map: RadioMap, of fingerprints: [Int32], offsets: ScannerOffsets? = nil) {
        self.map = map
        self.fingerprints = fingerprints
        self.offsets = offsets
    }

    func readings(of fingerprint: Int32, into readings: inout [NumberedReading]) {
        readings.removeAll(keepingCapacity: true)
        let scanner = map.fingerprints[Int(fingerprint)].scanner
        for position in map.readings(of: Int(fingerprint)) {
            readings.append(
                NumberedReading(
                    transmitter: map.readingTransmitter[position],
                    rssi: offsets?.corrected(map.readingRSSI[position], scanner: scanner)
                        ?? Float(map.readingRSSI[position])))
        }
    }
}
