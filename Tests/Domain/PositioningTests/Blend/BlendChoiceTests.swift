import Events
import Geometry
import Glibc
import Numbers
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct BlendChoiceTests {
    @Test(
        "No scan is located with its own place, walk or scanner, according to its kind",
        arguments: 0..<6)
    func foldsDoNotLeak(seed: Int) {
        var random = SeededRandom(seed: seed)
        for shape in Survey.allCases {
            let map = shape.map(&random)
            let validation = CrossValidation(map, seed: UInt64(seed))
            #expect(!validation.folds.isEmpty, "\(shape)")
            for fold in validation.folds {
                let training = fold.training.map { map.fingerprints[Int($0)] }
                let places = Set(training.map(\.place))
                let walks = Set(training.map(\.walk))
                let scanners = Set(training.map(\.scanner))
                for test in fold.tests {
                    let own = map.fingerprints[Int(test.fingerprint)]
                    let isInTraining = fold.training.contains(test.fingerprint)
                    #expect(isInTraining == (test.kind == .sameSurvey))
                    switch shape {
                    case .scanners:
                        #expect(!scanners.contains(own.scanner))
                        #expect(places.contains(own.place) || test.kind == .newPlace)
                    case .walked: #expect(!walks.contains(own.walk))
                    case .grid: if test.kind == .newPlace { #expect(!places.contains(own.place)) }
                    case .session:
                        guard test.kind == .newPlace else { break }
                        #expect(!places.contains(own.place))
                        // Three places, a metre apart, were surveyed one after the other.
                        let mates = map.fingerprints.filter {
                            $0.point.y == own.point.y
                                && Int($0.point.x) / 3 == Int(own.point.x) / 3
                        }
                        #expect(places.isDisjoint(with: mates.map(\.place)))
                    }
                }
            }
            #expect(validation.isDisturbed == (shape == .grid || shape == .session))
        }
    }

    /// The ways in which a building was surveyed.
    private enum Survey: CaseIterable {
        /// Six scanners at the same places.
        case scanners
        /// Twenty walks, each fingerprint at a place of its own.
        case walked
        /// One session, many surveys at each place.
        case grid
        /// One session, one survey at each place.
        case session

        func map(_ random: inout SeededRandom) -> RadioMap {
            var map = RadioMap.empty
            let floor = FloorID("ground")
            map.floors = [floor]
            map.transmitters = (1...8).map { .wifi(HardwareAddress(value: $0)) }
            for number in 0..<240 {
                let place = self == .walked || self == .session ? number : number % 40
                if place == map.places.count {
                    map.places.append(RadioMap.Place(name: "\(place)", floor: 0))
                }
                map.fingerprints.append(
                    RadioMap.Fingerprint(
                        survey: EventID(high: 0, low: UInt64(number)),
                        point: Point(x: Double(place % 20), y: Double(place / 20)), floor: 0,
                        room: -1, place: Int32(place),
                        walk: self == .walked
                            ? Int32(number / 12)
                            : self == .scanners ? Int32(number % 6 + 6 * (number / 120)) : 0,
                        scanner: self == .scanners ? Int32(number % 6) : 0))
                for transmitter in 0..<8 where Bool.random(using: &random) {
                    map.readingTransmitter.append(Int32(transmitter))
                    map.readingRSSI.append(Int8.random(in: -90 ... -40, using: &random))
                }
                map.readingStart.append(Int32(map.readingTransmitter.count))
            }
            return map
        }
    }

    @Test("Equal maps make equal choices, and a map that is too small still locates")
    func choiceIsRepeatable() throws {
        var random = SeededRandom(seed: 3)
        let map = RandomMap.make(&random)
        let first = try #require(BlendChoice(for: map, seed: 1))
        let second = try #require(BlendChoice(for: map, seed: 1))
        #expect(first.cost != nil)
        #expect(first.settings == second.settings)
        #expect(first.radii == second.radii)
        let text = PositionerChoice(for: map).positioner
        let chosen = try PositionerRegistry.standard.positioner(text)
        let read = try #require((chosen as? Blend)?.choice ?? (chosen as? Mixture)?.choice)
        #expect(read.settings == first.settings)
        #expect(read.radii == first.radii)
        #expect(read.shares == first.shares)
        let scan = RandomMap.scan(&random)
        #expect(
            chosen.prepare(map, site: SampleSite.index).locate(scan)
                == ChosenPositioner().prepare(map, site: SampleSite.index).locate(scan))
        let surveys = [
            SurveyRecorded(
                scan: SampleSite.scan(
                    1, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)]),
                place: .metres(floor: SampleSite.ground, x: 3, y: 2))
        ]
        let small = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        #expect(BlendChoice(for: small, seed: 1) == nil)
        #expect(PositionerChoice(for: small).positioner == "knn")
        let estimate = ChosenPositioner().prepare(small, site: SampleSite.index)
            .locate(RadioScan(surveys[0].scan))
        #expect(estimate.place?.point == Point(x: 3, y: 2))
        let stranger = SampleSite.scan(
            2, wifi: [WiFiReading(bssid: HardwareAddress(value: 77), rssi: -50)])
        let lost = ChosenPositioner().prepare(small, site: SampleSite.index)
            .locate(RadioScan(stranger))
        #expect(lost == .lost)
        let empty = ChosenPositioner().prepare(.empty, site: SampleSite.index)
            .locate(RadioScan(stranger))
        #expect(empty == .lost)
    }

    @Test("A small map has half of its neighbours and gets weights; many scanners get nothing")
    func small() throws {
        var random = SeededRandom(seed: 4)
        let session = Survey.session.map(&random).part((0..<30).map { Int32($0) })
        let choice = try #require(BlendChoice(for: session))
        var settings = BlendChoice.fallback.settings
        settings.neighbourShare = 0.5
        #expect(choice.settings == settings)
        #expect(choice.shares.blend >= 0)
        #expect(choice.cost != nil)
        #expect(BlendChoice(for: session.part((0..<11).map { Int32($0) })) == nil)
        // Two surveys of each scanner, which has two walks.
        let few = (0..<12).map { Int32($0) } + (120..<132).map { Int32($0) }
        let scanners = Survey.scanners.map(&random).part(few)
        #expect(scanners.scannersOfSeveralWalks.count == 6)
        #expect(BlendChoice(for: scanners) == nil)
    }

    @Test("A map of a single room is tried by places")
    func singleRoom() throws {
        var random = SeededRandom(seed: 6)
        var map = Survey.session.map(&random)
        for index in map.fingerprints.indices {
            map.fingerprints[index].point = Point(x: Double(index % 16) / 8, y: 1)
        }
        let validation = CrossValidation(map, seed: 1)
        let tests = validation.folds.flatMap(\.tests).filter { $0.kind == .newPlace }
        #expect(tests.count > 200)
    }

    @Test("Walks of two scanners at the same time do not end each other's runs")
    func interleaved() throws {
        var random = SeededRandom(seed: 7)
        var map = Survey.session.map(&random)
        for index in map.fingerprints.indices {
            map.fingerprints[index].walk = Int32(index % 2)
            map.fingerprints[index].scanner = Int32(index % 2)
            map.fingerprints[index].point = Point(
                x: Double(index / 2), y: Double(10 * (index % 2)))
        }
        for fold in CrossValidation(map, seed: 1).folds {
            let training = Set(fold.training)
            for test in fold.tests where test.kind == .newPlace {
                let first = test.fingerprint / 6 * 6 + test.fingerprint % 2
                let run = [first, first + 2, first + 4]
                #expect(training.isDisjoint(with: run))
            }
        }
    }

    @Test("Radii that grow with the error contain 68 and 95 % of new errors", arguments: 0..<4)
    func radiiHold(seed: Int) {
        var random = SeededRandom(seed: seed)
        func outcomes(_ count: Int) -> [RadiusModel.Outcome] {
            (0..<count).map { number in
                let spread = Double.random(in: 1...12, using: &random)
                // The draw has a Rayleigh distribution, that of the length of two normal errors.
                let draw = (-2 * log(Double.random(in: 1e-9...1, using: &random))).squareRoot()
                let evidence = RadiusModel.Evidence(
                    spread: spread, distance: Double.random(in: 0.1...0.5, using: &random),
                    disagreement: Double.random(in: 0...9, using: &random))
                return RadiusModel.Outcome(
                    error: 0.6 * spread * draw, evidence: evidence, isNewPlace: number % 2 == 0)
            }
        }
        let model = RadiusModel(
            outcomes(2_000), knownPlacesUntried: false, isDisturbed: seed.isMultiple(of: 2))
        let fresh = outcomes(4_000)
        func share(_ factor: Double) -> Double {
            let within = fresh.count { $0.error <= factor * model.scale($0.evidence) }
            return Double(within) / Double(fresh.count)
        }
        #expect((0.64...0.72).contains(share(model.factor68)))
        #expect((0.93...0.97).contains(share(model.factor95)))
        #expect(model.powers.x > 0.6)
        #expect(abs(model.powers.y) < 0.3)
        #expect(abs(model.powers.z) < 0.3)
    }

    @Test(
        "Offsets of scanners that met are found; those of other scanners stay", arguments: 0..<4)
    func offsetsAreFound(seed: Int) {
        var random = SeededRandom(seed: seed)
        var map = Survey.scanners.map(&random)
        let truth: [Int32] = [0, 6, -4, 3, -5, 0]
        for index in map.fingerprints.indices {
            let fingerprint = map.fingerprints[index]
            for position in map.readings(of: index) {
                let cell = Int32(fingerprint.point.x / ScannerOffsets.cellMetres)
                let base = -60 - 4 * cell - map.readingTransmitter[position]
                map.readingRSSI[position] = Int8(base + truth[Int(fingerprint.scanner)])
            }
        }
        // A seventh scanner surveys another floor alone.
        map.floors.append(FloorID("roof"))
        for index in map.fingerprints.indices.suffix(20) {
            map.fingerprints[index].scanner = 6
            map.fingerprints[index].floor = 1
        }
        let all = map.fingerprints.indices.map { Int32($0) }
        let offsets = ScannerOffsets(map, of: all)
        for left in 0..<6 {
            for right in 0..<6 {
                let found =
                    offsets.corrected(-60, scanner: Int32(right))
                    - offsets.corrected(-60, scanner: Int32(left))
                // The offsets come from few readings, so they are drawn towards 0.
                #expect(abs(found - Float(truth[left] - truth[right])) < 2)
            }
        }
        let alone = ScannerOffsets(map, of: all.filter { map.fingerprints[Int($0)].scanner == 2 })
        #expect(alone.corrected(-60, scanner: 2) == -60)
    }

    @Test("A floor network learns which transmitters belong to which floor")
    func networkLearns() {
        var random = SeededRandom(seed: 5)
        var map = Survey.grid.map(&random)
        map.floors.append(FloorID("roof"))
        for index in map.fingerprints.indices {
            let floor = Int32(index % 2)
            map.fingerprints[index].floor = floor
            for position in map.readings(of: index) {
                let isOwn = map.readingTransmitter[position] % 2 == floor
                map.readingRSSI[position] = isOwn ? -50 : -85
            }
        }
        let surveys = SurveyReadings(map, of: map.fingerprints.indices.map { Int32($0) })
        for style in FloorNetwork.Style.both {
            let network = FloorNetwork(surveys, style: style, seed: 1)
            var logarithms: [Float] = []
            for floor in 0..<2 {
                let readings = [0, 1].map { transmitter in
                    NumberedReading(
                        transmitter: Int32(transmitter), rssi: transmitter == floor ? -52 : -83)
                }
                network.logarithms(readings, into: &logarithms)
                #expect(logarithms[floor] > log(0.7))
            }
        }
    }
}
