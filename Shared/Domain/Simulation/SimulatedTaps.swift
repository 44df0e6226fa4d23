public import Events
import Numbers

/// A person who sometimes taps on the map: "I am here". It is decided at each scan by itself, so a
/// walk is the same with and without taps.
public struct SimulatedTaps: Sendable {
    /// People tap beside the point where they stand: the standard deviation along x and y, in
    /// metres.
    private static let fingerMetres = 1.0
    /// One tap in so many is a mistake, such as the next room or the other end of a corridor.
    private static let tapsOfMistake = 20.0
    private static let mistakeMetres = 10.0...30.0

    private let share: Double
    private var random: SimulationRandom

    /// - Parameters:
    ///   - perHour: the mean number of taps; at most one a scan.
    ///   - scanPeriodSeconds: that of the walk.
    public init(
        seed: UInt64, device: DeviceID, perHour: Double, scanPeriodSeconds: Double = 4
    ) {
        share = min(1, max(0, perHour) * scanPeriodSeconds / 3_600)
        random = SimulationRandom(seed: seed, part: FNV1a.hash("taps/\(device)".utf8))
    }

    /// The tap at this scan, with an id of its own; nil for most scans.
    public mutating func tap(
        at simulated: SimulatedScan
    ) -> (scan: ScanRecorded, place: SurveyPlace)? {
        // Each scan draws the same number of numbers, so that more taps hold the fewer ones.
        let chance = random.uniform()
        let (right, up) = (random.gaussian(), random.gaussian())
        let isMistaken = random.uniform() * Self.tapsOfMistake < 1
        let metres = random.uniform(
            Self.mistakeMetres.lowerBound, Self.mistakeMetres.upperBound)
        let id = EventID(
            millisecondsSinceEpoch: simulated.scan.at.milliseconds, random: random.next(),
            random.next())
        guard chance < share else { return nil }
        // A mistake goes along the building, whose rooms lie in rows.
        let away = isMistaken ? (right < 0 ? -metres : metres) : 0
        var scan = simulated.scan
        scan.id = id
        let truth = simulated.truth
        return (
            scan,
            .metres(
                floor: truth.floor, x: truth.x + right * Self.fingerMetres + away,
                y: truth.y + up * Self.fingerMetres)
        )
    }
}
