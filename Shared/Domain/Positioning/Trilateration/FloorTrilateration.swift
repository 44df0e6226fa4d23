import Geometry

/// Locates scans on a floor that something else has elected, by the path losses of one radio map.
///
/// Comparing fingerprints finds no place outside of the surveyed ones, and hardly one between them.
/// Path losses do.
struct FloorTrilateration: Sendable {
    /// Metres; a place with a larger deviation says nothing. Weak readings alone may put one at any
    /// distance.
    private static let largestDeviation = 10.0

    private let transmitters: TransmitterNumbers
    /// The path loss by the map's floor, then by transmitter.
    private let losses: [[Int32: FittedPathLoss]]

    init(_ map: RadioMap) {
        transmitters = TransmitterNumbers(map)
        losses = PreparedTrilateration.losses(of: map)
    }

    /// The place of a scan. Nil where it received fewer than three transmitters with a path loss on
    /// this floor, or where they leave the place open.
    ///
    /// - Parameters:
    ///   - floor: an index into the map's floors.
    ///   - start: where the search begins, such as the place by something else.
    func answer(
        _ scan: RadioScan, on floor: Int32, from start: Point
    ) -> Multilateration.Answer? {
        let losses = losses[Int(floor)]
        let heard = scan.readings.compactMap { reading in
            transmitters[reading.transmitter].flatMap { losses[$0] }.map {
                (loss: $0, rssi: Double(reading.rssi))
            }
        }
        let problem = Multilateration(heard: heard)
        guard let answer = problem.answer(from: start) else { return nil }
        let variance = answer.covariance.xx + answer.covariance.yy
        return variance <= Self.largestDeviation * Self.largestDeviation ? answer : nil
    }
}
