import Glibc

/// The constants by which a device is outdoors or indoors.
///
/// They were chosen on simulated walks through doors (docs/accuracy.md, section Doors). The result
/// hardly depends on any single one.
enum OutdoorsRules {
    // MARK: Doors

    /// The person may pass a door from this far away, in metres. The belief in a place is about as
    /// wrong. From twice as far hardly anybody passes it until the next scan.
    static let reachMetres = 12.0
    static let fadingMetres = 15.0
    /// Below this nearness neither radio nor doors count.
    static let leastNearness = 0.05
    /// The least nearness outdoors, where a fix may lie far off, and strong radio by itself means
    /// that a building is near. The same holds in a site that states no doors.
    static let usualNearness = 0.75
    /// A fix is this much worse than its radius in any case, in metres.
    static let slackMetres = 5.0

    /// How near a place is to a door, from 0 to 1.
    static func nearness(metres: Double) -> Double {
        1 / (1 + exp((metres - reachMetres - fadingMetres / 2) / (fadingMetres / 6)))
    }

    /// The probability of passing a door that is near, in the time of one scan.
    static let passingShare = 0.06
    /// The same anywhere, as a share of it: sites do not state all doors.
    static let passingAnywhere = 0.03
    static let mostPassingShare = 0.3
    /// The time of one scan. Scans that follow faster repeat some of their evidence.
    static let scanSeconds = 3.0

    // MARK: Radio

    /// The strongest readings that count, at most, and the level of one that is missing, in dBm.
    static let strongest = 6
    static let missingLevel = -95.0
    /// Surveys up to this far from a door show the level behind it, in metres.
    static let surveyMetres = 8.0
    /// The deviations of the level, in dB: indoors behind a door, indoors anywhere, and outdoors.
    static let deviationAtDoor = 4.0
    static let deviationAnywhere = 6.0
    static let deviationOutdoors = 4.5
    /// The deviation of a single reading's noise, in dB.
    static let deviationOfReading = 4.0
    /// The level drops by so many dB outdoors. A wall costs about ten, the distance the rest. Far
    /// from the building it drops more, and that counts half.
    static let dropDecibels = 16.0
    /// The share of a scan's radio that is new. The noise of successive scans is alike.
    static let newShare = 0.9
    /// The deviation of the offsets between a device and the surveyor's, in dB.
    static let offsetDeviation = 5.0

    // MARK: Satellites

    /// The most that a fix outside of the outlines says, and one inside, as logarithms of odds.
    /// Fixes along a façade may lie 30 m off, so neither is certain.
    static let mostOutside = 0.9
    static let mostInside = 0.4
    /// For a fix outside of the outlines that states a small radius: satellites give hardly any
    /// such fix indoors. It counts fully up to the first radius, and no more from the second on; in
    /// metres.
    static let goodFix = 1.8
    static let goodMetres = 6.0
    static let plainMetres = 16.0
    /// Against outdoors, where radio is as on the map. It counts after a long silence of
    /// satellites, and where no door shows the level behind the walls.
    static let explained = 1.5
    /// For outdoors, where a scan has a fix and no reading at all.
    static let noReading = 0.5
    /// For this time without a fix the place outdoors is known, around the last one.
    static let longestSilenceSeconds: Float = 30
    /// The radius of 68 % around a door that somebody has just left, in metres.
    static let doorRadiusMetres: Float = 10

    // MARK: Odds

    /// The logarithm of the odds of outdoors, of a device of which nothing is known.
    static let start = -1.0
    /// One scan changes it by no more than this, and it stays within `most`. So the answer can
    /// change in about three scans.
    static let mostOfScan = 4.0
    static let most = 4.5
    /// The answer changes where the logarithm is beyond these. Who leaves has more time for it than
    /// who enters.
    static let leaving = 1.5
    static let entering = -0.5
}
