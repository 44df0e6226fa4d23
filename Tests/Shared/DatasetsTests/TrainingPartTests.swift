import Events
import Geometry
import Numbers
import Site
import Testing
import Wire

@testable import Datasets

@Suite("Parts of a training part") struct TrainingPartTests {
    private static let phones = 12

    /// Two buildings with two floors each. Eleven phones and a device without a phone survey twenty
    /// places a floor, some of them several times, in the morning and in the evening.
    private static func dataset(seed: UInt64 = 1, phones: Int = phones) -> Dataset {
        var random = SplitMix64(seed: seed)
        var document = SiteDocument(
            name: "S", originLatitude: 0, originLongitude: 0, bearingDegrees: 0)
        var surveys: [SurveyRecorded] = []
        for building in ["a", "b"] {
            document.buildings.append(
                BuildingRecord(id: BuildingID(building), name: building, timeZone: "Etc/UTC"))
            for ordinal in 0...1 {
                let floor = FloorID("\(building)\(ordinal)")
                document.floors.append(
                    FloorRecord(
                        id: floor, building: BuildingID(building), ordinal: ordinal,
                        level: "\(ordinal)"))
                for _ in 0..<200 {
                    let number = surveys.count
                    let phone = min(random.below(phones), random.below(phones))
                    let evening = random.below(2) * 36_000
                    let scan = FingerprintRow.scan(
                        site: SiteID("s"), device: "device\(phone)",
                        at: Timestamp(milliseconds: Int64(evening + number) * 1_000), file: 1,
                        row: number,
                        wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)])
                    let x = Double(random.below(20)) * (building == "a" ? 3 : 4)
                    surveys.append(
                        SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 0)))
                }
            }
        }
        let test = Dataset.TestScan(
            scan: surveys[0].scan, truth: ScanTruth(floor: FloorID("a0"), x: 0, y: 0))
        var names: [DeviceID: String] = [:]
        for phone in 1..<max(phones, 2) { names[DeviceID("device\(phone)")] = "phone\(phone)" }
        return Dataset(
            name: "set", site: SiteID("s"), document: document,
            parts: [Dataset.Part(name: "all", training: surveys, tests: [test])],
            phoneOfDevice: phones > 1 ? names : [:])
    }

    private static func derived(
        _ dataset: Dataset, _ heldOut: HeldOut?, _ map: DerivedMap? = nil, share: Double? = nil,
        seed: UInt64 = 5
    ) throws -> Dataset {
        let trial = TrainingTrial(heldOut: heldOut, map: map, share: share, seed: seed)
        let derived = try dataset.onTrainingPart(trial)
        // Equal arguments give equal parts.
        let again = try dataset.onTrainingPart(trial)
        #expect(derived.parts.map(\.training) == again.parts.map(\.training))
        #expect(derived.parts.map(\.tests) == again.parts.map(\.tests))
        return derived
    }

    /// The places, as in the surveys.
    private static func places(_ surveys: [SurveyRecorded]) -> Set<SurveyPlace> {
        Set(surveys.map(\.place))
    }

    private static func place(_ test: Dataset.TestScan) -> SurveyPlace {
        .metres(floor: test.truth.floor, x: test.truth.x, y: test.truth.y)
    }

    private static func fault(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? DatasetFault)?.description }
    }

    @Test("No scan is of its map, and true places are those of the surveys", arguments: 0..<4)
    func apart(seed: UInt64) throws {
        let dataset = Self.dataset(seed: seed + 1)
        let all = Dictionary(
            dataset.surveys.map { ($0.scan.id, $0) }, uniquingKeysWith: { first, _ in first })
        for heldOut in HeldOut.allCases.map(Optional.some) + [nil] {
            for map in DerivedMap.allCases.map(Optional.some) + [nil] {
                guard heldOut != nil || (map != nil && map != .copied) else { continue }
                let derived = try Self.derived(dataset, heldOut, map, seed: seed)
                for part in derived.parts {
                    let ids = Set(part.training.map(\.scan.id))
                    #expect(ids.count == part.training.count && !part.tests.isEmpty)
                    #expect(!part.tests.contains { ids.contains($0.scan.id) })
                    #expect(
                        part.tests.allSatisfy { test in
                            let survey = all[test.scan.id]
                            return test.scan == survey?.scan && Self.place(test) == survey?.place
                                && test.truth.floor.text.hasPrefix(test.truth.building?.text ?? "-")
                        })
                    let held = part.tests.map(Self.place)
                    if heldOut == .places {
                        #expect(Self.places(part.training).isDisjoint(with: held))
                    }
                }
                #expect(derived.document == dataset.document && derived.name == dataset.name)
            }
        }
    }

    @Test("Each building, or floor, is left out in turn, with all its scans")
    func grounds() throws {
        let dataset = Self.dataset()
        let buildings = try Self.derived(dataset, .buildings).parts
        #expect(buildings.map(\.leftOut) == [["a"], ["b"]])
        #expect(buildings.map(\.name) == ["training without a", "training without b"])
        #expect(buildings.map(\.tests.count) == [400, 400])
        #expect(buildings.map(\.training.count) == [400, 400])
        #expect(buildings[0].tests.allSatisfy { $0.truth.building?.text == "a" })
        let floors = try Self.derived(dataset, .floors).parts
        #expect(floors.map(\.leftOut) == [["a0"], ["a1"], ["b0"], ["b1"]])
        #expect(floors.allSatisfy { $0.tests.count == 200 && $0.training.count == 600 })
        for part in floors {
            #expect(part.tests.allSatisfy { $0.truth.floor.text == part.leftOut[0] })
        }
    }

    @Test("Complete phones are held out, of 10 to 15 % of the scans", arguments: 0..<10)
    func phones(seed: UInt64) throws {
        let dataset = Self.dataset()
        let part = try Self.derived(dataset, .phones, seed: seed).parts[0]
        #expect((80...120).contains(part.tests.count))
        #expect(part.tests.count + part.training.count == 800)
        let held = Set(part.tests.map { dataset.phoneOfDevice[$0.scan.device] })
        #expect(held == Set(part.leftOut) && !part.leftOut.isEmpty)
        #expect(!part.training.contains { held.contains(dataset.phoneOfDevice[$0.scan.device]) })
        let wide = try Self.derived(dataset, .phones, share: 0.3, seed: seed).parts[0]
        #expect((240...360).contains(wide.tests.count))
    }

    /// Each set of phones is tried. The last phone that is drawn is what brings the share.
    private static func isReachable(_ sizes: [Int], _ least: Double, _ most: Double) -> Bool {
        (1..<(1 << sizes.count)).contains { chosen in
            let sum = sizes.indices.reduce(0) { $0 + (chosen >> $1 & 1) * sizes[$1] }
            return (least...most).contains(Double(sum))
        }
    }

    @Test(
        "Phones are drawn wherever some have the share together", arguments: 0..<60 as Range<UInt64>
    )
    func drawnPhones(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let sizes = (0..<(2 + random.below(4))).map { _ in 1 + random.below(40) }
        let count = sizes.reduce(0, +)
        let named = Dictionary(
            uniqueKeysWithValues: sizes.enumerated().map { ("p\($0.offset)", $0.element) })
        let drawn = HeldOut.phones(named, of: count, share: 0.3, seed: seed)
        let (least, most) = (0.3 * Double(count), 0.3 * HeldOut.widestShare * Double(count))
        #expect((drawn != nil) == Self.isReachable(sizes, least, most))
        guard let drawn else { return }
        let held = drawn.reduce(0) { $0 + named[$1]! }
        #expect((least...most).contains(Double(held)))
    }

    @Test("Places are held out with all their surveys")
    func places() throws {
        let dataset = Self.dataset()
        let part = try Self.derived(dataset, .places).parts[0]
        let (all, kept) = (Self.places(dataset.surveys), Self.places(part.training))
        #expect(Double(all.count - kept.count) == (0.25 * Double(all.count)).rounded())
        #expect(part.training.count + part.tests.count == 800)
        let half = try Self.derived(dataset, .places, share: 0.5).parts[0]
        #expect(2 * Self.places(half.training).count == all.count)
        #expect(
            try Self.derived(dataset, .places, seed: 6).parts[0].tests.map(\.scan.id)
                != part.tests.map(\.scan.id))
    }

    @Test("A map of one survey a place has each place once, and the others are located")
    func oneSurvey() throws {
        let dataset = Self.dataset()
        let part = try Self.derived(dataset, nil, .oneSurvey).parts[0]
        #expect(part.training.count == Self.places(dataset.surveys).count)
        #expect(Self.places(part.training) == Self.places(dataset.surveys))
        #expect(part.training.count + part.tests.count == 800)
    }

    @Test("Each survey is in a copied map six times, with the same readings and other ids")
    func copied() throws {
        let dataset = Self.dataset()
        let plain = try Self.derived(dataset, .places).parts[0]
        let part = try Self.derived(dataset, .places, .copied).parts[0]
        #expect(part.tests == plain.tests)
        #expect(part.training.count == 6 * plain.training.count)
        let known = Dictionary(grouping: part.training) { $0.scan.at }
        for survey in plain.training {
            let copies = try #require(known[survey.scan.at]).filter {
                $0.place == survey.place && $0.scan.wifi == survey.scan.wifi
            }
            #expect(copies.count == 6 && copies.contains(survey))
        }
        // Ids that are taken already are passed over.
        let first = plain.training[0]
        let pair = DerivedMap.copied.surveys(
            DerivedMap.copied.surveys([first]).prefix(2).map(\.self))
        #expect(pair.count == 12 && Set(pair.map(\.scan.id)).count == 12)
    }

    @Test(
        "A map of one phone or session has all its surveys, and scans near them are located",
        arguments: [DerivedMap.onePhone, .oneSession], 0..<6 as Range<UInt64>)
    func single(map: DerivedMap, seed: UInt64) throws {
        let dataset = Self.dataset()
        let part = try Self.derived(dataset, nil, map, seed: seed).parts[0]
        func isOfMap(_ scan: ScanRecorded) -> Bool {
            let first = part.training[0].scan
            let isSession = map == .onePhone || abs(scan.at - first.at) < 10_000_000_000
            return isSession
                && dataset.phoneOfDevice[scan.device] == dataset.phoneOfDevice[first.device]
        }
        let own = dataset.surveys.filter { isOfMap($0.scan) }
        #expect(part.training == own && Double(own.count) >= 0.05 * 800)
        // Each scan is compared with each survey of the map.
        let near = dataset.surveys.filter { survey in
            guard !isOfMap(survey.scan), case .metres(let floor, let x, _) = survey.place else {
                return false
            }
            return own.contains {
                guard case .metres(floor, let other, _) = $0.place else { return false }
                return abs(other - x) <= 10
            }
        }
        #expect(part.tests.map(\.scan) == near.map(\.scan))
    }

    @Test("Ground near the surveys of a map is found as by comparing with each", arguments: 0..<20)
    func reach(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let dataset = Self.dataset()
        let (site, scan) = (try SiteIndex(dataset.document), dataset.surveys[0].scan)
        func survey() throws -> PlacedSurvey {
            func metres() -> Double { Double(random.below(1_200)) / 10 - 60 }
            let floor = FloorID(random.below(2) == 0 ? "a0" : "b1")
            let place = SurveyPlace.metres(floor: floor, x: metres(), y: metres())
            return try PlacedSurvey(SurveyRecorded(scan: scan, place: place), site: site)
        }
        let map = try (0..<25).map { _ in try survey() }
        let reach = Reach(map)
        for _ in 0..<100 {
            let other = try survey()
            let isNear = map.contains {
                $0.floor == other.floor && $0.point.distance(to: other.point) <= 10
            }
            #expect(reach.holds(other) == isNear)
        }
    }

    @Test("What a set does not have is refused in one line")
    func refused() {
        let dataset = Self.dataset(phones: 1)
        var floor = dataset
        floor.parts[0].training.removeAll { $0.place.ground != .floor(FloorID("a0")) }
        func fault(_ heldOut: HeldOut?, _ map: DerivedMap?, share: Double? = nil) -> String? {
            Self.fault {
                _ = try floor.onTrainingPart(
                    TrainingTrial(heldOut: heldOut, map: map, share: share, seed: 1))
            }
        }
        #expect(
            fault(.phones, nil) == "set: the training part names no two phones to hold one out")
        #expect(
            fault(nil, .onePhone) == "set: the training part names no two phones to choose from")
        #expect(
            fault(.buildings, nil)
                == "set: the training part has no two buildings to leave one out")
        #expect(fault(.floors, nil) == "set: the training part has no two floors to leave one out")
        #expect(
            fault(nil, .copied)
                == "set: its map lacks no scan of the training part; hold places out")
        let two = Self.dataset(phones: 3)
        let text = Self.fault {
            _ = try two.onTrainingPart(
                TrainingTrial(heldOut: .phones, map: nil, share: 0.01, seed: 1))
        }
        #expect(
            text?.hasPrefix("set: no phones have 1 to 1.5 % of the scans together; --share 0.")
                == true)
    }

    @Test(
        "A share is named only where it holds out a phone",
        arguments: [(9, ""), (14, "0.01"), (17, ""), (24, "0.02"), (495, "0.49")])
    func namedShare(smallest: Int, share: String) {
        let way = HeldOut.way(
            to: ["small": smallest, "large": 1_000 - smallest], of: 1_000, seed: 1)
        #expect(way == (share.isEmpty ? "" : "; --share \(share) holds out a phone"))
    }

    @Test("A survey at a place that the site lacks is refused with its id")
    func unknownPlace() throws {
        var dataset = Self.dataset()
        dataset.parts[0].training[3].place = .location(LocationID("nowhere"))
        let text = Self.fault { _ = try Self.derived(dataset, .places) }
        #expect(text?.hasPrefix("set: survey ") == true)
        #expect(text?.hasSuffix(": unknown-location") == true)
    }

    @Test("Of no surveys no session can be drawn", arguments: DerivedMap.allCases)
    func nothing(map: DerivedMap) {
        let split = map.split([], phones: [], seed: 1).split
        #expect(split.map.isEmpty)
        #expect(split.rest.isEmpty)
    }
}
