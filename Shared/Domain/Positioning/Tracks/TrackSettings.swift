import Glibc

/// The constants of the track filter.
///
/// The figures of people's pace are of the order of the literature's. The others were tuned on
/// training paths of the MS set's seed 1, and on simulated buildings with other seeds
/// (docs/accuracy.md).
struct TrackSettings: Hashable, Sendable {
    /// The mean times for which people stay somewhere, and for which they walk.
    var stayingSeconds = 45.0
    var walkingSeconds = 20.0
    /// The same in passages, which people walk through to stay elsewhere.
    var stayingInPassageSeconds = 3.0
    var walkingInPassageSeconds = 600.0
    /// The usual pace indoors, and the fastest.
    var paceMetresPerSecond = 1.1
    static let fastestMetresPerSecond = 2.0
    /// The concentration of a walk's direction from cell to cell, in a von Mises density.
    var straightness = 2.0
    var stepMetres = 0.65
    /// The odds by which a step counter makes walking or staying more probable.
    static let stepOdds: Float = 20
    /// The concentration of a heading. It is low, because a phone in the hand may point elsewhere.
    static let headingConcentration = 0.8

    /// Readings of successive scans share their noise. The new share of a scan after t seconds is
    /// `newShare` * (1 - exp(-t / correlationSeconds)).
    var newShare = 2.2
    var correlationSeconds = 6.0
    /// The same as `newShare` for evidence that is not of radio.
    var placesShare = 1.0
    /// Telephones report readings that are up to this old. An earlier scan repeats some of the
    /// belief's evidence.
    var repeatedSeconds = 4.0
    /// The deviation of the kernel around a candidate, in metres.
    var kernelMetres = 1.5
    /// The share of a candidate's belief that counts in other rooms than its own.
    var otherRoomShare: Float = 0.1
    /// The largest radius of 68 % over which the belief around a scan's mean is spread, in metres.
    /// A wider one would hardly help, and each cell costs time.
    static let widestMetres = 100.0
    /// The share of a scan's belief around its mean; the rest is around its candidates.
    var meanShare = 0.6
    /// The share of belief that a scan is wrong altogether. It is spread over a circle of this
    /// radius. It keeps one scan, however certain, from moving the track away.
    var strayShare = 0.03
    static let strayMetres = 20.0

    /// The share of the belief that is replaced by the scan's evidence, on floors with belief.
    var renewedShare: Float = 0.0001
    /// The share of the first scan's belief that every other floor gets.
    static let otherFloorShare = 0.02
    /// After scans have contradicted the track for this long, it starts again.
    var doubtSeconds = 30.0
    /// A scan contradicts the track if its likelihood there is below this ratio. The ratio is
    /// relative to the belief that the scan is wrong altogether.
    var doubtRatio = 1.1
    /// A track is uncertain from this many scans in a row that may be of one of the site's
    /// unsurveyed parts. A track's first scan is enough.
    static let mostUnfitting: UInt8 = 2

    /// The number of beliefs that are stored from scan to scan.
    static let keptBeliefs = 600
    /// Beliefs below this share of the best one are dropped.
    var leastWeight: Float = 1e-3
    /// A longer time without scans ends a track.
    static let longestGapSeconds = 90.0
    /// After so many scans in a row from which nothing could be told, the device is lost.
    static let lostScans = 2
    /// After this time without a usable reading the track ends, too.
    static let lostSeconds = 30.0

    /// The published room or floor changes when another one is this probable.
    var roomProbability = 0.5
    static let floorProbability: Float = 0.6
    /// A room below this share of its floor is left at once, unless the device is at rest.
    var leastKeptRoomShare = 0.05

    /// A device is at rest when it has stayed within this many metres for `settlingSeconds`.
    var settledMetres = 8.0
    var settlingSeconds: Float = 120
    /// It has left when the belief's mean has been farther away for longer than this, which is
    /// `correlationSeconds`.
    var awaySeconds = 6.0
    /// The time over which the place of a device at rest is averaged.
    static let settledMemorySeconds: Float = 600
    /// A device at rest leaves its room when the room's average probability falls below this.
    var leastRoomShare: Float = 0.3
    /// The time over which that probability is averaged. A room that has lost all of the belief is
    /// left after 1.2 times this.
    var roomMemorySeconds: Float = 30
    /// A stored state serves a device at rest for at most this long, instead of being stored again
    /// with each scan (`TrackState.serves`).
    var servingSeconds = 12.0
    /// It serves as long as the belief's mean is this near to the place of rest, in metres.
    var servingMetres = 2.0
    /// It serves as long as the logarithm of the odds of outdoors grows by no more than this.
    var servingOdds = 0.5

    /// The share of the last scan's own place in the published place, for devices that are not at
    /// rest. It helps because the track and the scan err in different ways. Successive scans of a
    /// walker err too much alike for the belief to average their errors out.
    var scanPlaceShare = 0.4

    /// The factors of the radii: that of the belief, and that of the scan alone.
    var beliefFactor = 1.0
    var scanFactor = 0.5
    /// The scan's factor at rest. A phone that stays receives through the same walls and bodies
    /// scan after scan. Many scans then contain hardly more information than one, however certain
    /// the belief becomes.
    var scanFactorAtRest = 1.0
}

extension TrackSettings {
    /// The new share of a scan, by the seconds since the previous one.
    func new(seconds: Double) -> Float {
        Float(newShare * (1 - exp(-seconds / correlationSeconds)))
    }

    /// The share of the belief that the scan does not repeat. It is no less than the scan's new
    /// share leaves of it, or quick scans would make the belief flat.
    func old(seconds: Double) -> Float {
        max(Float(min(1, seconds / repeatedSeconds)), 1 - new(seconds: seconds))
    }
}
