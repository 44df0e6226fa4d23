import Accuracy
import Events
import Geometry
import Positioning
import Site
import Testing

@testable import RadioMapCare

@Suite("Positioners that are compared") struct PositionerComparisonTests {
    private static let map = MapQualityTests.map
    private static let site = SimulatedMap.site
    private static let knn = NearestNeighbours(exponent: 1.5)

    private static func candidate(
        _ name: String, _ positioner: any Positioner, needsSentReadings: Bool = false
    ) -> CandidatePositioner {
        CandidatePositioner(
            positioner, name: name, basis: name, needsSentReadings: needsSentReadings)
    }

    private static func compare(
        _ candidates: [CandidatePositioner], on map: RadioMap = MapQualityTests.map,
        taps: [TapRecorded] = []
    ) -> PositionerComparison {
        PositionerComparison(candidates, on: map, site: site, choice: nil, taps: taps)
    }

    @Test("The figures by surveys are those of a loop over the parts, scan by scan")
    func twin() throws {
        let comparison = Self.compare([Self.candidate("knn", Self.knn)])
        let found = try #require(comparison.bySurveys)
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
                    errors.append(Self.map.middle.distance(to: truth.point))
                    continue
                }
                let error = place.point.distance(to: truth.point)
                errors.append(error)
                withPlace += 1
                floors += place.floor == Self.map.floors[Int(truth.floor)] ? 1 : 0
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
        #expect(comparison.byTaps == nil && comparison.promoted == nil)
    }

    @Test("One that is beside the truth is worse, so is a single neighbour; an equal is undecided")
    func worse() throws {
        let single = try #require(PositionerRegistry.standard["knn:exponent=1.5,k=1"])
        let comparison = Self.compare([
            Self.candidate("knn", Self.knn), Self.candidate("single", single),
            Self.candidate("beside", Displaced(base: Self.knn, metres: 30)),
            Self.candidate("same", Self.knn),
        ])
        let judged = try #require(comparison.bySurveys?.judged)
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
        #expect(comparison.bySurveys?.judged.map(\.verdict) == [nil, .better, .better])
        #expect(comparison.promoted == "knn")
    }

    @Test("With few places nothing is decided, and a map of hardly any is not tried")
    func fewPlaces() throws {
        let floor = try #require(Self.site.document.floors.first).id
        let corner = SimulatedMap.surveys { $0 == floor && $1.x < 11 && $1.y < 7 }
        let candidates = [
            Self.candidate("knn", Self.knn),
            Self.candidate("beside", Displaced(base: Self.knn, metres: 500)),
        ]
        let few = try #require(
            Self.compare(candidates, on: SimulatedMap.map(corner)).bySurveys)
        #expect((1..<PositionerFigures.fewestPlaces).contains(few.places))
        #expect(few.judged.last?.difference?.lower95 ?? 0 > 400)
        #expect(few.judged.last?.verdict == .undecided)
        let tiny = SimulatedMap.map(Array(corner.prefix(2)))
        #expect(Self.compare(candidates, on: tiny).bySurveys == nil)
    }

    @Test("Those that can't be tried are named; without the served one nothing is compared")
    func untried() throws {
        let taps = TapBench.honest(devices: 4, minutes: 4)
        let comparison = Self.compare(
            [
                CandidatePositioner("mine", obstacle: .program), Self.candidate("knn", Self.knn),
                Self.candidate("sent", Self.knn, needsSentReadings: true),
            ], taps: taps)
        let (bySurveys, byTaps) = (
            try #require(comparison.bySurveys), try #require(comparison.byTaps)
        )
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

    @Test("Taps have figures of their own, and lies about places change none by surveys")
    func taps() throws {
        let honest = TapBench.honest(devices: 6, minutes: 5)
        let lies = honest.enumerated().map { number, tap in
            TapRecorded(
                scan: tap.scan, place: honest[(number + honest.count / 2) % honest.count].place,
                author: tap.author)
        }
        let candidates = [Self.candidate("knn", Self.knn)]
        let ofHonest = Self.compare(candidates, on: TapBench.map, taps: honest)
        let ofLies = Self.compare(candidates, on: TapBench.map, taps: lies)
        #expect(ofHonest.bySurveys == ofLies.bySurveys)
        let (right, wrong) = (try #require(ofHonest.byTaps), try #require(ofLies.byTaps))
        let counted = CountedTap.all(honest, site: Self.site)
        #expect(right.scans == counted.count && right.scans > 5)
        #expect(right.places == Set(counted.map(\.cell)).count)
        #expect(ofHonest.tapAuthors == Set(honest.map(\.author)).count)
        let means = (right.judged[0].summary.mean ?? 0, wrong.judged[0].summary.mean ?? 0)
        #expect(means.0 > 0 && means.0 < 6 && means.1 > 2 * means.0, "\(means)")
    }

    @Test("A tap that a surveyor made a survey of does not judge the map that has it")
    func surveyed() {
        let survey = MapQualityTests.surveys[0]
        let tap = TapRecorded(scan: survey.scan, place: survey.place, author: "somebody")
        let comparison = Self.compare([Self.candidate("knn", Self.knn)], taps: [tap])
        #expect(comparison.byTaps == nil && comparison.tapAuthors == 0)
    }

    @Test("So many taps count that a look is soon over")
    func mostTaps() {
        let floor = Self.site.document.floors[0].id
        let many = (0..<(PositionerComparison.mostTaps + 10)).map { number in
            TapBench.tap(
                SimulatedMap.surveys[0].scan, number, at: .metres(floor: floor, x: 1, y: 1),
                author: "author-\(number)")
        }
        let tiny = SimulatedMap.map(Array(MapQualityTests.surveys.prefix(4)))
        let comparison = Self.compare([Self.candidate("knn", Self.knn)], on: tiny, taps: many)
        #expect(comparison.bySurveys == nil)
        #expect(comparison.byTaps?.scans == PositionerComparison.mostTaps)
        #expect(comparison.tapAuthors == PositionerComparison.mostTaps)
    }
}
