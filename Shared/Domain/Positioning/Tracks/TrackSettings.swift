import Glibc

/// The constants of the track filter.
///
/// Those of people's pace are of the literature's order; the others were tuned on training paths of
/// the MS set's seed 1 and on simulated buildings with seeds of their own (docs/accuracy.md).
struct TrackSettings: Hashable, Sendable {
    /// How long people stay somewhere, and how long they walk, on average.
    var stayingSeconds = 45.0
    var walkingSeconds = 20.0
    /// The same in passages: people go through them to stay elsewhere.
    var stayingInPassageSeconds = 3.0
    var walkingInPassageSeconds = 600.0
    /// A usual pace indoors, and the fastest.
    var paceMetresPerSecond = 1.1
    static let fastestMetresPerSecond = 2.0
    /// Of a walk's direction from cell to cell: a von Mises density.
    var straightness = 2.0
    var stepMetres = 0.65
    /// How much more probable a step counter that says so makes walking or staying.
    static let stepOdds: Float = 20
    /// Of a heading: a phone in the hand may point elsewhere.
    static let headingConcentration = 0.8

    /// Readings of successive scans share their noise: what of a scan is new after t seconds is
    /// `newShare` * (1 - exp(-t / correlationSeconds)).
    var newShare = 2.2
    var correlationSeconds = 6.0
    /// The same of evidence that is not of radio.
    var placesShare = 1.0
    /// Readings that a telephone hands out are up to so old: a scan that comes earlier repeats some
    /// of what the belief knows already.
    var repeatedSeconds = 4.0
    /// Metres about a candidate.
    var kernelMetres = 1.5
    /// A candidate's belief in another room beside its own.
    var otherRoomShare: Float = 0.1
    /// Metres; the belief about a scan's mean is spread over no larger a radius of 68 %: it says
    /// next to nothing then, and each cell takes time.
    static let widestMetres = 100.0
    /// How much of a scan's belief is about its mean, the rest about its candidates.
    var meanShare = 0.6
    /// That a scan is wrong altogether, against one that it is right: spread over a circle of this
    /// radius. It keeps one scan, however sure of itself, from carrying somebody off.
    var strayShare = 0.03
    static let strayMetres = 20.0

    /// What of the belief is drawn anew from the scan, on floors that it is on already.
    var renewedShare: Float = 0.0001
    /// Of the first scan's belief: on the floors above and below.
    static let otherFloorShare = 0.02
    /// Where scans contradict the track for so long, it starts afresh.
    var doubtSeconds = 30.0
    /// The scan's likelihood on the track, relative to its belief that it is wrong altogether,
    /// below which it contradicts.
    var doubtRatio = 1.1

    /// Beliefs kept from scan to scan.
    static let keptBeliefs = 600
    /// Less probable ones, relative to the best, are dropped.
    var leastWeight: Float = 1e-3
    /// A longer silence ends a track.
    static let longestGapSeconds = 90.0
    /// With nothing heard for so long a device is lost.
    static let lostSeconds = 30.0

    /// A room or floor is left for one that is so probable.
    var roomProbability = 0.5
    static let floorProbability: Float = 0.6

    /// Who has kept within so many metres for so long is at rest.
    var settledMetres = 8.0
    var settlingSeconds: Float = 120
    /// Averages of those at rest go back so far.
    static let settledMemorySeconds: Float = 600
    /// The average probability below which a room is left by somebody who is at rest.
    var leastRoomShare: Float = 0.3

    /// The share of the last scan's own place in the published one, of those who are not at rest.
    /// The errors of successive scans of a walker are too much alike for the belief to average them
    /// out, and the two are wrong in different ways.
    var scanPlaceShare = 0.4

    /// Radii: those of the belief, and a share of those of the scan alone.
    var beliefFactor = 1.0
    var scanFactor = 0.5
    /// The share at rest: a phone that stays hears the same walls and bodies in scan after scan, so
    /// that many of them know hardly more than one, however sure the belief becomes.
    var scanFactorAtRest = 1.0
}

extension TrackSettings {
    /// How much of a scan is new, after so many seconds since the one before.
    func new(seconds: Double) -> Float {
        Float(newShare * (1 - exp(-seconds / correlationSeconds)))
    }

    /// How much of the belief the scan does not repeat.
    func old(seconds: Double) -> Float { Float(min(1, seconds / repeatedSeconds)) }
}
