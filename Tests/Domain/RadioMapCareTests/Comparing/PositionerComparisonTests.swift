import Accuracy
import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("Positioners that are compared") struct PositionerComparisonTests {
    private static let map = MapQualityTests.map
    private static let site = SimulatedMap.site
    private static let knn = NearestNeighbours(exponent: 1.5)
    private static let ground = SimulatedBuilding.floor(0)
    /// One storey: some hundred places of two surveys.
    private static let storey = SimulatedMap.surveys {
        $0 == ground && SimulatedMap.isOnCoarseGrid($1)
    }
    private static let small = SimulatedMap.map(storey)

    private static func candidate(
        _ name: String, _ positioner: any Positioner, needsSentReadings: Bool = false
    ) -> CandidatePositioner {
        CandidatePositioner(
            positioner, name: name, basis: name, needsSentReadings: needsSentReadings)
    }

    private static func compare(
        _ candidates: [CandidatePositioner], on map: RadioMap = PositionerComparisonTests.small,
        site: SiteIndex = PositionerComparisonTests.site
    ) -> PositionersBySurveys {
        PositionersBySurveys(candidates, on: map, site: site, choice: nil)
    }

    private static func compare(
        _ candidates: [CandidatePositioner], on map: RadioMap = PositionerComparisonTests.small,
        taps: [TapRecorded]
    ) -> PositionersByTaps? {
        PositionersByTaps(candidates, on: map, site: site, choice: nil, taps: taps)
    }

    @Test("The figures by surveys are those of a loop over the parts, scan by scan")
    func twin() throws {
        let comparison = Self.compare([Self.candidate("knn", Self.knn)], on: Self.map)
        let found = try #require(comparison.figures)
        var errors: [Double] = []
        var (floors, located, in68, in95, withPlace) = (0, 0, 0, 0, 0)
        var rooms: (right: Int, known: Int) = (0, 0)
        for fold in HeldOutPlaces(Self.map).folds {
            let prepared = Self.knn.prepare(fold.part(of: Self.map), site: Self.site)
            for held in fold.scans {
                let truth = Self.map.fingerprints[Int(held.fingerprint)]
                let estimate = prepared.locate(held.scan)
                if truth.room >= 0 { rooms.known += 1 }
                if estimate.state == .located { located += 1 }
                guard let place = estimate.place else {
                    errors.append(Self.map.middle.distance(to: truth.point) + 4)
                    continue
                }
                let error = place.point.distance(to: truth.point)
                let isRight = place.floor == Self.map.floors[Int(truth.floor)]
                errors.append(error + (isRight ? 0 : 4))
                withPlace += 1
                floors += isRight ? 1 : 0
                in68 += error <= place.radius68 ? 1 : 0
                in95 += error <= place.radius95 ? 1 : 0
                if truth.room >= 0, place.room == Self.map.rooms[Int(truth.room)] {
                    rooms.right += 1
                }
            }
        }
        let judged = try #require(found.judged.first)
        let count = Double(errors.count)
        func isNear(_ value: Double?, _ expected: Double) -> Bool {
            abs((value ?? .infinity) - expected) < 1e-9
        }
        #expect(errors.count > 100 && found.scans == errors.count)
        #expect(judged.summary.queries == errors.count && !judged.remembers)
        #expect(isNear(judged.summary.mean, errors.reduce(0, +) / count))
        let below = errors.count { $0 <= judged.summary.median ?? 0 }
        #expect(abs(Double(below) - count / 2) <= 1)
        let below95 = errors.count { $0 <= judged.summary.p95 ?? 0 }
        #expect(abs(Double(below95) - 0.95 * count) <= 1)
        #expect(isNear(judged.summary.floorHit, Double(floors) / count))
        #expect(isNear(judged.summary.roomHit, Double(rooms.right) / Double(rooms.known)))
        #expect(isNear(judged.summary.within68, Double(in68) / Double(withPlace)))
        #expect(isNear(judged.summary.within95, Double(in95) / Double(withPlace)))
        #expect(isNear(judged.located, Double(located) / count))
        #expect(judged.difference == nil && judged.verdict == nil)
        #expect(comparison.promoted == nil && !judged.followsChoice)
    }

    @Test("One that is beside the truth is worse, so is a single neighbour; an equal is undecided")
    func worse() throws {
        let single = try #require(PositionerRegistry.standard["knn:exponent=1.5,k=1"])
        let comparison = Self.compare(
            [
                Self.candidate("knn", Self.knn), Self.candidate("single", single),
                Self.candidate("beside", Displaced(base: Self.knn, metres: 30)),
                Self.candidate("same", Self.knn),
            ], on: Self.map)
        let judged = try #require(comparison.figures?.judged)
        #expect(judged.map(\.name) == ["knn", "single", "beside", "same"])
        #expect(judged.map(\.verdict) == [nil, .worse, .worse, .undecided])
        #expect(judged.map(\.remembers) == [false, false, true, false])
        for one in judged.dropFirst() {
            let difference = try #require(one.difference)
            let means = try #require(one.summary.mean) - #require(judged[0].summary.mean)
            #expect(abs(difference.mean - means) < 1e-9)
        }
        #expect(judged[3].difference?.mean == 0 && judged[3].difference?.upper95 == 0)
        #expect(comparison.promoted == nil)
    }

    @Test("Of several that are better, the one with the smallest mean error is promoted")
    func better() {
        let comparison = Self.compare([
            Self.candidate("served", Displaced(base: Self.knn, metres: 60)),
            Self.candidate("near", Displaced(base: Self.knn, metres: 20)),
            Self.candidate("knn", Self.knn),
        ])
        #expect(comparison.figures?.judged.map(\.verdict) == [nil, .better, .better])
        #expect(comparison.promoted == "knn")
    }

    @Test("The same points on wrong floors are worse, by 4 m, and the right floors better")
    func wrongFloors() throws {
        let upstairs = Displaced(base: Self.knn, floor: SimulatedBuilding.floor(1))
        let right = Self.candidate("right", Self.knn)
        let wrong = Self.candidate("wrong", upstairs)
        let worse = Self.compare([right, wrong])
        let judged = try #require(worse.figures?.judged.last)
        let difference = try #require(judged.difference)
        #expect(judged.verdict == .worse && worse.promoted == nil)
        #expect(judged.summary.floorHit == 0)
        #expect(abs(difference.mean - 4) < 1e-9 && abs(difference.lower95 - 4) < 1e-9)
        #expect(Self.compare([wrong, right]).promoted == "right")
    }

    @Test(
        "Surveys that few phones made decide nothing, at however many places", arguments: [4, 24])
    func fewPhones(phones: Int) throws {
        let surveys = Self.storey.enumerated().map { number, survey in
            var scan = survey.scan
            scan.scanner = ScannerID("phone-\(number / 2 % phones)")
            return SurveyRecorded(scan: scan, place: survey.place)
        }
        let comparison = Self.compare(
            [
                Self.candidate("knn", Self.knn),
                Self.candidate("beside", Displaced(base: Self.knn, metres: 500)),
            ], on: SimulatedMap.map(surveys))
        let figures = try #require(comparison.figures)
        let isMany = phones > PositionerFigures.fewestGroups
        #expect(!comparison.isDisturbed && figures.places >= PositionerFigures.fewestGroups)
        #expect((figures.sources ?? 0 >= PositionerFigures.fewestGroups) == isMany)
        #expect(figures.judged.last?.difference?.lower95 ?? 0 > 300)
        #expect(figures.judged.last?.verdict == (isMany ? .worse : .undecided))
    }

    @Test("Floors that the site's beacons locate are left out, since maps lack their readings")
    func beacons() throws {
        let upstairs = SimulatedBuilding.floor(1)
        let surveys =
            Self.storey.prefix(60)
            + SimulatedMap.surveys { $0 == upstairs && SimulatedMap.isOnCoarseGrid($1) }.prefix(8)
        let map = SimulatedMap.map(Array(surveys))
        var document = Self.site.document
        document.beacons = [Self.ground, upstairs].enumerated().map { number, floor in
            SiteBeacon(
                id: BeaconID("beacon-\(number)"), floor: floor, point: Point(x: 3, y: 3),
                uuid: EventID(high: 1, low: 1), major: 1, minor: number)
        }
        let candidates = [Self.candidate("knn", Self.knn)]
        let plain = try #require(Self.compare(candidates, on: map).figures)
        let beaconed = try #require(
            Self.compare(candidates, on: map, site: try SiteIndex(document)).figures)
        let scans = HeldOutPlaces(map).folds.flatMap(\.scans).map { scan in
            map.floors[Int(map.fingerprints[Int(scan.fingerprint)].floor)]
        }
        #expect(plain.scans == scans.count && scans.contains(upstairs))
        #expect(beaconed.scans == scans.count { $0 == Self.ground })
    }

    @Test("Those that follow the radio map's choice are called so")
    func followers() throws {
        let chosen = try #require(PositionerRegistry.standard["chosen"])
        let corner = SimulatedMap.map(Array(Self.storey.prefix(24)))
        let comparison = PositionersBySurveys(
            [Self.candidate("knn", Self.knn), Self.candidate("mine", chosen)], on: corner,
            site: Self.site, choice: "knn")
        #expect(comparison.figures?.judged.map(\.followsChoice) == [false, true])
    }

    @Test("With few places nothing is decided, and a map of hardly any is not tried")
    func fewPlaces() throws {
        let floor = try #require(Self.site.document.floors.first).id
        let corner = SimulatedMap.surveys { $0 == floor && $1.x < 11 && $1.y < 7 }
        let candidates = [
            Self.candidate("knn", Self.knn),
            Self.candidate("beside", Displaced(base: Self.knn, metres: 500)),
        ]
        let few = try #require(Self.compare(candidates, on: SimulatedMap.map(corner)).figures)
        #expect((1..<PositionerFigures.fewestGroups).contains(few.places))
        #expect(few.judged.last?.difference?.lower95 ?? 0 > 400)
        #expect(few.judged.last?.verdict == .undecided)
        let tiny = SimulatedMap.map(Array(corner.prefix(2)))
        #expect(Self.compare(candidates, on: tiny).figures == nil)
    }

    @Test("Those that can't be tried are named; without the served one nothing is compared")
    func untried() throws {
        let candidates = [
            CandidatePositioner("mine", obstacle: .program), Self.candidate("knn", Self.knn),
            Self.candidate("sent", Self.knn, needsSentReadings: true),
        ]
        let comparison = Self.compare(candidates)
        let bySurveys = try #require(comparison.figures)
        let byTaps = try #require(
            Self.compare(candidates, taps: Self.taps(authors: 5))
        ).figures
        #expect(bySurveys.judged.map(\.name) == ["knn"])
        #expect(bySurveys.untried.map(\.name) == ["mine", "sent"])
        #expect(bySurveys.untried.map(\.obstacle) == [.program, .sentReadings])
        #expect(byTaps.judged.map(\.name) == ["knn", "sent"])
        #expect(byTaps.untried.map(\.obstacle) == [.program])
        #expect((bySurveys.judged + byTaps.judged).allSatisfy { $0.verdict == nil })
        #expect(comparison.promoted == nil && comparison.served == "mine")
    }

    @Test("A site's candidates are those that it selected, the served first and the missing last")
    func stock() {
        let stock = CandidateStock(
            ["auto", "knn", "mine"].map { CandidatePositioner($0, obstacle: .program) })
        func names(_ served: String?, _ beside: [String]) -> [String] {
            stock.candidates(for: PositionerSelection(served: served, beside: beside)).map(\.name)
        }
        #expect(names(nil, []) == ["auto"])
        #expect(names("mine", ["knn", "auto"]) == ["mine", "knn", "auto"])
        #expect(names("gone", ["old", "knn"]) == ["auto", "knn", "gone", "old"])
        let missing = stock.candidates(for: PositionerSelection(served: "gone", beside: []))
        #expect(missing.last?.obstacle(areSent: true) == .notAllowed)
    }

    // MARK: Taps

    /// Taps at every fourth place of the storey, by so many authors in turn.
    private static func taps(authors: Int) -> [TapRecorded] {
        storey.enumerated().filter { $0.offset % 8 == 0 }.map { number, survey in
            TapBench.tap(
                survey.scan, number, at: survey.place, author: "author-\(number / 8 % authors)")
        }
    }

    @Test("Taps are located where they say, and lies show as errors")
    func taps() throws {
        let honest = TapBench.honest(devices: 6, minutes: 5)
        let lies = honest.enumerated().map { number, tap in
            TapRecorded(
                scan: tap.scan, place: honest[(number + honest.count / 2) % honest.count].place,
                author: tap.author)
        }
        let candidates = [Self.candidate("knn", Self.knn)]
        let right = try #require(Self.compare(candidates, on: TapBench.map, taps: honest))
        let wrong = try #require(Self.compare(candidates, on: TapBench.map, taps: lies))
        let counted = CountedTap.all(honest, site: Self.site)
        #expect(right.figures.scans == counted.count && right.figures.scans > 5)
        #expect(right.figures.places == Set(counted.map(\.cell)).count)
        #expect(right.authors == Set(honest.map(\.author)).count)
        let means = (
            right.figures.judged[0].summary.mean ?? 0, wrong.figures.judged[0].summary.mean ?? 0
        )
        #expect(means.0 > 0 && means.0 < 6 && means.1 > 2 * means.0, "\(means)")
    }

    @Test("Nothing is decided by taps: one that is better by them alone is not promoted")
    func tapsDecideNothing() throws {
        let served = Displaced(base: Self.knn, metres: 60, isOfSentScans: true)
        let candidates = [Self.candidate("served", served), Self.candidate("knn", Self.knn)]
        let bySurveys = Self.compare(candidates)
        let byTaps = try #require(Self.compare(candidates, taps: Self.taps(authors: 12)))
        #expect(bySurveys.figures?.judged.last?.verdict == .undecided)
        #expect(byTaps.figures.judged.last?.verdict == .better)
        #expect(bySurveys.promoted == nil)
    }

    @Test("Few authors decide no verdict by taps, however many places they name")
    func fewAuthors() throws {
        let candidates = [
            Self.candidate("served", Displaced(base: Self.knn, metres: 60)),
            Self.candidate("knn", Self.knn),
        ]
        for (authors, verdict) in [(1, .undecided), (9, .undecided), (10, .better)]
            as [(Int, PositionerFigures.Verdict)]
        {
            let byTaps = try #require(Self.compare(candidates, taps: Self.taps(authors: authors)))
            #expect(byTaps.figures.places > 10 && byTaps.authors == authors)
            #expect(byTaps.figures.judged.last?.verdict == verdict, "\(authors)")
        }
    }

    @Test("A tap that a surveyor made a survey of does not judge the map that has it")
    func surveyed() {
        let survey = Self.storey[0]
        let tap = TapRecorded(scan: survey.scan, place: survey.place, author: "somebody")
        #expect(Self.compare([Self.candidate("knn", Self.knn)], taps: [tap]) == nil)
    }

    @Test("So many taps count that a look is soon over")
    func mostTaps() {
        let floor = Self.site.document.floors[0].id
        let many = (0..<(PositionersByTaps.mostTaps + 10)).map { number in
            TapBench.tap(
                SimulatedMap.surveys[0].scan, number, at: .metres(floor: floor, x: 1, y: 1),
                author: "author-\(number)")
        }
        let tiny = SimulatedMap.map(Array(MapQualityTests.surveys.prefix(4)))
        let byTaps = Self.compare([Self.candidate("knn", Self.knn)], on: tiny, taps: many)
        #expect(byTaps?.figures.scans == PositionersByTaps.mostTaps)
        #expect(byTaps?.authors == PositionersByTaps.mostTaps)
    }
}
