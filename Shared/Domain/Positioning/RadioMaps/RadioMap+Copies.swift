import Events
import Geometry

extension RadioMap {
    /// Surveys with fewer readings may be alike by chance, as where one beacon is received.
    static let leastReadingsOfCopy = 3

    /// Equal for a fingerprint and its copies.
    private struct Content: Hashable {
        let point: Point
        let place: Int32
        let room: Int32
        let scanner: Int32
        let transmitters: ArraySlice<Int32>
        let rssi: ArraySlice<Int8>
        /// The time of a survey with few readings; nil for one with enough.
        let at: Timestamp?
    }

    /// The indices of the fingerprints that copy no earlier one, ascending.
    ///
    /// A copy has the same scanner, place and readings, at any time. Telephones repeat their last
    /// results when they are asked too often, and tables of surveys have rows twice. Two scans with
    /// three readings or more are hardly ever equal by themselves.
    ///
    /// - Parameter times: the time of each fingerprint's scan.
    func originals(times: [Timestamp]) -> [Int32] {
        var known: Set<Content> = []
        return fingerprints.indices.filter { index in
            let fingerprint = fingerprints[index]
            let readings = readings(of: index)
            let isTelling = readings.count >= Self.leastReadingsOfCopy
            return known.insert(
                Content(
                    point: fingerprint.point, place: fingerprint.place, room: fingerprint.room,
                    scanner: fingerprint.scanner, transmitters: readingTransmitter[readings],
                    rssi: readingRSSI[readings], at: isTelling ? nil : times[index])
            ).inserted
        }.map { Int32($0) }
    }
}
