/// Parts of a radio map, each with scans of places that it lacks. Positioners that locate the same
/// scans by the same parts can be compared.
///
/// These are the `HeldOutTrials` at places that were left out, without the thinned ones. A part
/// lacks all surveys of its scans' places. Where the map has enough scanners or walks, it lacks the
/// scans' own ones, too. Elsewhere the scans are disturbed.
public struct HeldOutPlaces: Sendable {
    public struct Scan: Sendable {
        /// An index of the map's fingerprints.
        public let fingerprint: Int32
        public let scan: RadioScan
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
        folds = all.filter { !$0.isThinned }.compactMap { fold in
            let queries = fold.queries.filter { $0.kind == .newPlace }
            let places = Set(queries.map { map.fingerprints[Int($0.fingerprint)].place })
            // Walks that remain may have been at the same places.
            let training = fold.training.filter {
                !places.contains(map.fingerprints[Int($0)].place)
            }
            guard !queries.isEmpty, !training.isEmpty else { return nil }
            return Fold(
                training: training,
                scans: queries.map { Scan(fingerprint: $0.fingerprint, scan: $0.scan) })
        }
    }
}
