import Geometry
import Numbers

/// Parts of a radio map, each located with the rest of it. They estimate how a positioner will do
/// with future scans.
///
/// Everything that would give the answer away is left out together. A scanner is left out because a
/// visitor has another telephone. A walk is left out because its scans share their moment in time,
/// and a place because visitors stand between surveyed places. Near places that were surveyed at
/// nearly the same moment are left out together. A map of one session by one scanner
/// has no data of other days, so its scans are disturbed instead.
struct CrossValidation: Sendable {
    /// How much of the scan's place is left in the training map.
    enum Kind: Hashable, Sendable, CaseIterable {
        case newPlace
        case knownPlace
        /// The fingerprint itself is in the map, and the scan is a disturbed copy.
        case sameSurvey
    }

    struct Test: Hashable, Sendable {
        /// An index into the map's fingerprints.
        var fingerprint: Int32
        var kind: Kind
    }

    struct Fold: Sendable {
        /// Indices into the map's fingerprints, ascending.
        var training: [Int32]
        var tests: [Test]
    }

    /// The most scans that are located in all folds together.
    static let queries = 1_500
    static let scannerFolds = 9
    /// With fewer scanners, one of them is no good estimate of the others.
    static let fewestScanners = 4
    /// The share of places that a fold of scanners removes from training.
    static let newPlaceShare = 0.3
    static let placeFolds = 8
    /// Metres; places that were surveyed once, one after the other within this distance, are left
    /// out together. Found with simulated maps of a survey each half metre.
    static let runMetres = 3.0
    static let walkFolds = 8
    static let walkedFolds = 5
    static let fewestWalks = 10
    /// A walk with a larger share of the map cannot be left out.
    static let largestWalkShare = 0.2

    private(set) var folds: [Fold] = []
    /// Whether scans are changed as if they were of another day (`Disturbance`).
    private(set) var isDisturbed = false

    private let map: RadioMap
    private var random: SplitMix64

    /// Makes the folds; equal maps and seeds give equal folds.
    init(_ map: RadioMap, seed: UInt64) {
        self.map = map
        random = SplitMix64(seed: seed)
        let scanners = map.scannersOfSeveralWalks
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

    /// Leaves out each group of scanners in turn. Some test scans are at places without any other
    /// survey, and some at places that other scanners surveyed.
    private mutating func leaveOutScanners(_ scanners: [Int32]) {
        let fold = parts(of: scanners, count: Self.scannerFolds)
        let each = Self.queries / Self.scannerFolds / 2
        for number in 0..<Self.scannerFolds {
            let isNew = map.places.map { _ in random.share() < Self.newPlaceShare }
            var (training, atNew, atKnown): ([Int32], [Int32], [Int32]) = ([], [], [])
            for (index, fingerprint) in map.fingerprints.enumerated() {
                // Scanners with one walk only are in no fold: they always train.
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
        var runs = map.runs(of: Self.runMetres)
        // In a single room all places may be one run, and nothing would be left to learn from.
        if Set(runs).count < Self.placeFolds { runs = map.places.indices.map { Int32($0) } }
        let fold = parts(of: Set(runs).sorted(), count: Self.placeFolds)
        split(Self.placeFolds, .newPlace, most: Self.queries / 2) { fold[runs[Int($0.place)]]! }
    }

    /// Leaves out every second survey of each place, in the map's order. The first half might all
    /// be of one walking direction.
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

    /// At most `most` of the fingerprints, drawn by chance.
    private mutating func tests(among fingerprints: [Int32], _ most: Int, _ kind: Kind) -> [Test] {
        var drawn = fingerprints
        random.shuffle(&drawn)
        return drawn.prefix(most).map { Test(fingerprint: $0, kind: kind) }
    }

    /// Assigns the values by chance to `count` parts of equal size.
    private mutating func parts(of values: [Int32], count: Int) -> [Int32: Int] {
        var drawn = values
        random.shuffle(&drawn)
        return Dictionary(uniqueKeysWithValues: drawn.enumerated().map { ($1, $0 % count) })
    }
}

extension RadioMap {
    /// The run of each place; -1 for a place without fingerprints. Places of a run were surveyed
    /// once, in one walk, one after the other, less than `metres` from its first place.
    ///
    /// Surveys are taken to be in the order of their ids, which is that of time for ids of version
    /// 7. With other ids most places are a run of their own.
    fileprivate func runs(of metres: Double) -> [Int32] {
        var runs = [Int32](repeating: -1, count: places.count)
        var surveys = [Int](repeating: 0, count: places.count)
        for fingerprint in fingerprints { surveys[Int(fingerprint.place)] += 1 }
        var current: [Int32: (first: Fingerprint, run: Int32)] = [:]
        var count: Int32 = 0
        for fingerprint in fingerprints where runs[Int(fingerprint.place)] < 0 {
            let isOnce = surveys[Int(fingerprint.place)] == 1
            if isOnce, let known = current[fingerprint.walk],
                known.first.floor == fingerprint.floor,
                known.first.point.distance(to: fingerprint.point) < metres
            {
                runs[Int(fingerprint.place)] = known.run
                continue
            }
            current[fingerprint.walk] = isOnce ? (fingerprint, count) : nil
            runs[Int(fingerprint.place)] = count
            count += 1
        }
        return runs
    }

    /// The scanners with more than one walk. The effects of scanner and walk can't be separated for
    /// the others.
    var scannersOfSeveralWalks: Set<Int32> {
        var walks: [Int32: Int32] = [:]
        var found: Set<Int32> = []
        for fingerprint in fingerprints {
            if let known = walks.updateValue(fingerprint.walk, forKey: fingerprint.scanner),
                known != fingerprint.walk
            {
                found.insert(fingerprint.scanner)
            }
        }
        return found
    }
}
