import Numbers

/// Parts of a radio map, each with scans of places that it lacks. Positioners that locate the same
/// scans by the same parts can be compared.
///
/// These are the `HeldOutTrials` at places that were left out, without the thinned ones. A part
/// lacks all surveys of its scans' places. Where the map has enough scanners or walks, it lacks the
/// scans' own ones, too. Elsewhere the scans are disturbed, those of each place in a way of their
/// own.
public struct HeldOutPlaces: Sendable {
    /// The error in metres of a wrong floor, as for the choice of a map's positioner.
    public static let wrongFloorMetres = LeaveOutTrials.wrongFloorMetres
    private static let seed: UInt64 = 1

    public struct Scan: Sendable {
        /// An index of the map's fingerprints.
        public let fingerprint: Int32
        public let scan: RadioScan
        /// The number of the scanner or walk that the part lacks, whose scans are alike. Nil where
        /// scans are disturbed: those of different places have nothing in common.
        public let source: Int32?
    }

    public struct Fold: Sendable {
        /// Indices of the map's fingerprints that remain, ascending.
        let training: [Int32]
        /// At least one.
        public let scans: [Scan]

        /// The rest of the map, which must be the one that was split.
        public func part(of map: RadioMap) -> RadioMap { map.part(training) }
    }

    /// None for a map that is too small.
    public let folds: [Fold]
    /// Whether scans are changed as if they were of another session (`Disturbance`).
    public let isDisturbed: Bool

    /// Makes the parts; equal maps give equal parts.
    public init(_ map: RadioMap) {
        let (all, isDisturbed) = HeldOutTrials.folds(of: map)
        self.isDisturbed = isDisturbed
        let areScanners = map.scannersOfSeveralWalks.count >= CrossValidation.fewestScanners
        var random = SplitMix64(seed: Self.seed)
        folds = all.filter { !$0.isThinned }.compactMap { fold in
            let queries = fold.queries.filter { $0.kind == .newPlace }
            let places = Set(queries.map { map.fingerprints[Int($0.fingerprint)].place })
            // Walks that remain may have been at the same places.
            let training = fold.training.filter {
                !places.contains(map.fingerprints[Int($0)].place)
            }
            guard !queries.isEmpty, !training.isEmpty else { return nil }
            guard !isDisturbed else {
                let scans = Self.disturbed(queries.map(\.fingerprint), of: map, &random)
                return Fold(training: training, scans: scans)
            }
            let scans = queries.map { query in
                let own = map.fingerprints[Int(query.fingerprint)]
                return Scan(
                    fingerprint: query.fingerprint, scan: query.scan,
                    source: areScanners ? own.scanner : own.walk)
            }
            return Fold(training: training, scans: scans)
        }
    }

    /// The scans of fingerprints, those of each place as if they were of a session of their own.
    ///
    /// The trials disturb all scans of a part alike. Its places would then be one piece of evidence
    /// and not many, because one session may suit one positioner.
    private static func disturbed(
        _ fingerprints: [Int32], of map: RadioMap, _ random: inout SplitMix64
    ) -> [Scan] {
        var sessions: [Int32: Disturbance] = [:]
        var readings: [NumberedReading] = []
        return fingerprints.map { fingerprint in
            let place = map.fingerprints[Int(fingerprint)].place
            let session =
                sessions[place]
                ?? Disturbance(transmitters: map.transmitters.count, random: &random)
            sessions[place] = session
            map.numberedReadings(of: Int(fingerprint), into: &readings)
            session.apply(to: &readings, isCopy: false, random: &random)
            return Scan(fingerprint: fingerprint, scan: map.scan(of: readings), source: nil)
        }
    }
}
