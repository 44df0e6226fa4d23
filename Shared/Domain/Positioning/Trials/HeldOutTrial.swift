import Events
import Geometry
import Numbers
public import Site

/// The result of locating a survey with a part of its own radio map that does not contain it.
public struct HeldOutTrial: Hashable, Sendable {
    /// An index of the map's fingerprints.
    public var fingerprint: Int32
    /// An index into the map's floors; nil when the device was lost.
    public var floor: Int32?
    /// Metres between survey and estimate, even on different floors; nil when lost.
    public var error: Double?
    /// Metres from the survey to the nearest remaining one of its floor (`SurveyedPlaces`).
    public var distance: Double
    /// Whether only few places remained. Such a trial estimates the error with fewer surveys, not
    /// the error of this map.
    public var isThinned: Bool
}

/// Trials of a radio map on itself, which estimate how its positioner will do with future scans.
/// Where all surveys are of one session, scans are disturbed as if they were of another
/// (`Disturbance`).
public enum HeldOutTrials {
    /// The shares of places that remain in further parts, besides those of the cross-validation.
    /// These trials show the error where surveys are farther apart.
    static let thinnedShares = [0.5, 0.25, 0.1]
    static let trialsOfThinned = 200
    private static let seed: UInt64 = 1
    /// With fewer places nothing can be left out.
    static let fewestPlaces = 4

    /// A part of the map, and scans that it lacks.
    struct Fold {
        /// Indices of the map's fingerprints, ascending.
        var training: [Int32]
        var queries: [Query]
        var isThinned: Bool
    }

    struct Query {
        /// An index of the map's fingerprints.
        var fingerprint: Int32
        var kind: CrossValidation.Kind
        var scan: RadioScan
    }

    /// Runs the trials; equal arguments give equal results. The positioner is prepared again for
    /// each part. So it should have nothing to choose, like one that an `ChosenPositioner` uses.
    public static func run(
        _ positioner: any Positioner, on map: RadioMap, site: SiteIndex
    ) -> [HeldOutTrial] {
        folds(of: map).folds.flatMap { trials(positioner, on: map, site: site, $0) }
    }

    /// The folds of the cross-validation, then the thinned ones; none where the map is too small.
    /// They do not depend on a positioner.
    static func folds(of map: RadioMap) -> (folds: [Fold], isDisturbed: Bool) {
        guard map.places.count >= fewestPlaces else { return ([], false) }
        let validation = CrossValidation(map, seed: seed)
        var random = SplitMix64(seed: seed &+ 2)
        let thinned = thinnedShares.compactMap { Self.thinned(map, keeping: $0, &random) }
        var folds: [Fold] = []
        for (isThinned, parts) in [(false, validation.folds), (true, thinned)] {
            for part in parts {
                let disturbance =
                    validation.isDisturbed
                    ? Disturbance(transmitters: map.transmitters.count, random: &random) : nil
                folds.append(
                    Fold(
                        training: part.training,
                        queries: queries(part, of: map, disturbance, &random),
                        isThinned: isThinned))
            }
        }
        return (folds, validation.isDisturbed)
    }

    private static func thinned(
        _ map: RadioMap, keeping share: Double, _ random: inout SplitMix64
    ) -> CrossValidation.Fold? {
        let isKept = map.places.map { _ in random.share() < share }
        var training: [Int32] = []
        var left: [Int32] = []
        for (index, fingerprint) in map.fingerprints.enumerated() {
            if isKept[Int(fingerprint.place)] {
                training.append(Int32(index))
            } else {
                left.append(Int32(index))
            }
        }
        guard !training.isEmpty, !left.isEmpty else { return nil }
        random.shuffle(&left)
        let tests = left.prefix(trialsOfThinned).map {
            CrossValidation.Test(fingerprint: $0, kind: .newPlace)
        }
        return CrossValidation.Fold(training: training, tests: tests)
    }

    /// The scans that the fold leaves out. Tests of a survey that the fold contains are skipped.
    private static func queries(
        _ fold: CrossValidation.Fold, of map: RadioMap, _ disturbance: Disturbance?,
        _ random: inout SplitMix64
    ) -> [Query] {
        var readings: [NumberedReading] = []
        var queries: [Query] = []
        for test in fold.tests where test.kind != .sameSurvey {
            map.numberedReadings(of: Int(test.fingerprint), into: &readings)
            disturbance?.apply(to: &readings, isCopy: false, random: &random)
            queries.append(
                Query(
                    fingerprint: test.fingerprint, kind: test.kind, scan: map.scan(of: readings)))
        }
        return queries
    }

    /// One trial for each of the fold's queries, in their order.
    static func trials(
        _ positioner: any Positioner, on map: RadioMap, site: SiteIndex, _ fold: Fold
    ) -> [HeldOutTrial] {
        let part = map.part(fold.training)
        let prepared = positioner.prepare(part, site: site)
        let places = SurveyedPlaces(part)
        var scratch = PositionerScratch()
        return fold.queries.map { query in
            let truth = map.fingerprints[Int(query.fingerprint)]
            let (estimate, _) = prepared.locate(
                query.scan, state: .empty, seed: 0, scratch: &scratch)
            let place = estimate.state == .lost ? nil : estimate.place
            return HeldOutTrial(
                fingerprint: query.fingerprint,
                floor: place.flatMap { place in
                    map.floors.firstIndex(of: place.floor).map { Int32($0) }
                },
                error: place.map { $0.point.distance(to: truth.point) },
                distance: places.distance(from: truth.point, floor: truth.floor),
                isThinned: fold.isThinned)
        }
    }
}

extension RadioMap {
    /// A map of some of its fingerprints, with the same floors, rooms, places and transmitters.
    ///
    /// - Parameter fingerprints: the fingerprints' indices, ascending.
    func part(_ fingerprints: [Int32]) -> RadioMap {
        var part = self
        part.fingerprints = fingerprints.map { self.fingerprints[Int($0)] }
        part.readingStart = [0]
        part.readingTransmitter = []
        part.readingRSSI = []
        for fingerprint in fingerprints {
            let range = readings(of: Int(fingerprint))
            part.readingTransmitter += readingTransmitter[range]
            part.readingRSSI += readingRSSI[range]
            part.readingStart.append(Int32(part.readingTransmitter.count))
        }
        return part
    }
}
