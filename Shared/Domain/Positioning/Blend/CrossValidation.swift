import Numbers

/// Parts of a radio map of which each is located by the rest, to learn how a positioner would do
/// with scans that are yet to come.
///
/// What is left out together is what would give the answer away: a scanner, because a visitor's
/// telephone is another one; a walk, because its neighbours in time heard the same moment; a place,
/// because visitors stand between the surveyed ones. A map of one session by one scanner says
/// nothing of other days, so there the scans are disturbed.
struct CrossValidation: Sendable {
    /// What the map knows of the place of a scan.
    enum Kind: Hashable, Sendable, CaseIterable {
        case newPlace
        case knownPlace
        /// The fingerprint itself is in the map, and the scan is a disturbed copy.
        case sameSurvey
    }

    struct Test: Hashable, Sendable {
        /// Of the map.
        var fingerprint: Int32
        var kind: Kind
    }

    struct Fold: Sendable {
        /// Fingerprints of the map, ascending.
        var training: [Int32]
        var tests: [Test]
    }

    /// Scans that are located in all, at most.
    static let queries = 1_500
    static let scannerFolds = 9
    /// With fewer scanners than this one of them says too little about the others.
    static let fewestScanners = 4
    /// Places that a fold of scanners knows nothing of.
    static let newPlaceShare = 0.3
    static let placeFolds = 8
    static let walkFolds = 8
    static let walkedFolds = 5
    static let fewestWalks = 10
    /// A walk with a larger share of the map cannot be left out.
    static let largestWalkShare = 0.2

    private(set) var folds: [Fold] = []
    /// Whether scans are disturbed (`Disturbance`).
    private(set) var isDisturbed = false

    private let map: RadioMap
    private var random: SplitMix64

    /// Equal maps and seeds give equal folds.
    init(_ map: RadioMap, seed: UInt64) {
        self.map = map
        random = SplitMix64(seed: seed)
        let scanners = map.tellingScanners
        let walks = Dictionary(grouping: map.fingerprints, by: \.walk).mapValues(\.count)
        let largestWalk = Double(walks.values.max() ?? 0)
        let hasWalks =
            walks.count >= Self.fewestWalks
            && largestWalk <= Self.largestWalkShare * Double(map.fingerprints.count)
        if scanners.count >= Self.fewestScanners {
            leaveOutScanners(scanners.sorted())
        } else if hasWalks, map.places.count * 2 > map.fingerprints.count {
            leaveOutWalks(walks.keys.sorted(), folds: Self.walkedFolds, kind: .newPlace)
        } else {
            isDisturbed = true
            leaveOutPlaces()
            if hasWalks {
                leaveOutWalks(walks.keys.sorted(), folds: Self.walkFolds, kind: .knownPlace)
            } else if map.places.count * 4 > map.fingerprints.count {
                copySurveys()
            } else {
                leaveOutHalvesOfPlaces()
            }
        }
        folds.removeAll { $0.training.isEmpty || $0.tests.isEmpty }
    }

    /// Each scanner in turn; its scans at places that the others' surveys are also taken out of,
    /// and its scans elsewhere.
    private mutating func leaveOutScanners(_ scanners: [Int32]) {
        let fold = parts(of: scanners, count: Self.scannerFolds)
        let each = Self.queries / Self.scannerFolds / 2
        for number in 0..<Self.scannerFolds {
            let isNew = map.places.map { _ in random.share() < Self.newPlaceShare }
            var (training, atNew, atKnown): ([Int32], [Int32], [Int32]) = ([], [], [])
            for (index, fingerprint) in map.fingerprints.enumerated() {
                // Those of one walk are in no fold: they are always known.
                let own = fold[fingerprint.scanner] == number
                switch (own, isNew[Int(fingerprint.place)]) {
                case (true, true): atNew.append(Int32(index))
                case (true, false): atKnown.append(Int32(index))
                case (false, false): training.append(Int32(index))
                case (false, true): break
                }
            }
            let tests =
                tests(among: atNew, each, .newPlace) + tests(among: atKnown, each, .knownPlace)
            folds.append(Fold(training: training, tests: tests))
        }
    }

    private mutating func leaveOutWalks(_ walks: [Int32], folds count: Int, kind: Kind) {
        let fold = parts(of: walks, count: count)
        let most = kind == .newPlace ? Self.queries : Self.queries / 2
        split(count, kind, most: most) { fold[$0.walk]! }
    }

    private mutating func leaveOutPlaces() {
        let places = map.places.indices.map { Int32($0) }
        let fold = parts(of: places, count: Self.placeFolds)
        split(Self.placeFolds, .newPlace, most: Self.queries / 2) { fold[$0.place]! }
    }

    /// Every other survey of each place, by their order in the map: an earlier half may be one
    /// direction of walking.
    private mutating func leaveOutHalvesOfPlaces() {
        var seen = [Int](repeating: 0, count: map.places.count)
        let isOdd = map.fingerprints.map { fingerprint in
            let place = Int(fingerprint.place)
            seen[place] += 1
            return seen[place] % 2 == 0
        }
        for part in 0..<4 {
            var (training, left): ([Int32], [Int32]) = ([], [])
            for (index, fingerprint) in map.fingerprints.enumerated() {
                let isLeft =
                    Int(fingerprint.place) % 4 == part && isOdd[index] == (part % 2 == 0)
                if isLeft { left.append(Int32(index)) } else { training.append(Int32(index)) }
            }
            folds.append(
                Fold(
                    training: training, tests: tests(among: left, Self.queries / 8, .knownPlace)))
        }
    }

    private mutating func copySurveys() {
        let all = map.fingerprints.indices.map { Int32($0) }
        folds.append(
            Fold(training: all, tests: tests(among: all, Self.queries / 2, .sameSurvey)))
    }

    private mutating func split(
        _ count: Int, _ kind: Kind, most: Int, fold: (RadioMap.Fingerprint) -> Int
    ) {
        var members = [[Int32]](repeating: [], count: count)
        for (index, fingerprint) in map.fingerprints.enumerated() {
            members[fold(fingerprint)].append(Int32(index))
        }
        for number in 0..<count {
            let training = members.indices.filter { $0 != number }.flatMap { members[$0] }.sorted()
            folds.append(
                Fold(training: training, tests: tests(among: members[number], most / count, kind)))
        }
    }

    /// At most so many, drawn.
    private mutating func tests(among fingerprints: [Int32], _ most: Int, _ kind: Kind) -> [Test] {
        var drawn = fingerprints
        random.shuffle(&drawn)
        return drawn.prefix(most).map { Test(fingerprint: $0, kind: kind) }
    }

    /// Equally many values in each part, drawn.
    private mutating func parts(of values: [Int32], count: Int) -> [Int32: Int] {
        var drawn = values
        random.shuffle(&drawn)
        return Dictionary(uniqueKeysWithValues: drawn.enumerated().map { ($1, $0 % count) })
    }
}

extension RadioMap {
    /// The scanners that walked more than once: one of a single walk can't be told from the walk.
    var tellingScanners: Set<Int32> {
        var walks: [Int32: Int32] = [:]
        var telling: Set<Int32> = []
        for fingerprint in fingerprints {
            if let known = walks.updateValue(fingerprint.walk, forKey: fingerprint.scanner),
                known != fingerprint.walk
            {
                telling.insert(fingerprint.scanner)
            }
        }
        return telling
    }
}
