import Geometry
import Glibc

/// All that a blend asks of a radio map, or of a part of it.
struct AnchorModel: Sendable {
    let anchors: Anchors
    private let distances: AnchorDistances
    private let likelihood: AnchorLikelihood

    /// - Parameter fingerprints: of the map, ascending.
    init(_ map: RadioMap, of fingerprints: [Int32]) {
        anchors = Anchors(map, of: fingerprints)
        distances = AnchorDistances(map, anchors)
        likelihood = AnchorLikelihood(map, anchors)
    }

    /// Compares a scan with the anchors; the results are left in the scratch. Readings of transmitters
    /// that no fingerprint heard are left out.
    ///
    /// - Returns: how many of the readings are known.
    func compare(
        _ readings: [NumberedReading], scratch: inout PositionerScratch
    ) -> Int {
        scratch.knownReadings.removeAll(keepingCapacity: true)
        for reading in readings where distances.knows(reading.transmitter) {
            scratch.knownReadings.append(reading)
        }
        let known = scratch.knownReadings
        distances.find(known, scratch: &scratch)
        likelihood.find(known, scratch: &scratch)
        return known.count
    }
}
