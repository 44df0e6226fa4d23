import Events
import Geometry
import Positioning
import RadioMapCare
import Site
import Testing

@Suite struct SurveyJudgeTests {
    private static let map = SimulatedMap.map(SimulatedMap.surveys)
    private static let judge = SurveyJudge(map, site: SimulatedMap.site)

    /// A copy of the survey with another place.
    private static func moved(_ survey: SurveyRecorded, x: Double, y: Double) -> SurveyRecorded {
        var moved = survey
        guard case .metres(let floor, _, _) = survey.place else { return survey }
        moved.place = .metres(floor: floor, x: x, y: y)
        return moved
    }

    @Test(
        "A survey 456 m outside of its floor is doubted in any case, even without a map"
    )
    func outside() throws {
        let far = Self.moved(try #require(SimulatedMap.surveys.first), x: 100, y: 500)
        for judge in [Self.judge, SurveyJudge(.empty, site: SimulatedMap.site)] {
            guard case .outsideFloor(let metres) = judge.verdict(of: far) else {
                Issue.record("it was taken: \(judge.verdict(of: far))")
                continue
            }
            #expect(metres > 300)
        }
    }

    @Test("A floor without drawings ends 100 m beyond all others")
    func undrawn() throws {
        var document = SimulatedMap.site.document
        var cellar = try #require(document.floors.first)
        cellar.id = FloorID("cellar")
        cellar.ordinal = -9
        document.floors.append(cellar)
        for index in document.buildings.indices { document.buildings[index].outline = [] }
        let extent = FloorExtent(try SiteIndex(document))
        #expect(extent.distanceOutside(Point(x: 99_000, y: 0), on: cellar.id) != nil)
        #expect(extent.distanceOutside(Point(x: -60, y: 0), on: cellar.id) == nil)
    }

    @Test("The first surveys of a building have nothing to compare with")
    func first() {
        let few = SimulatedMap.map(Array(SimulatedMap.surveys.prefix(20)))
        for map in [RadioMap.empty, few] {
            let judge = SurveyJudge(map, site: SimulatedMap.site)
            for survey in SimulatedMap.surveys.suffix(50) {
                #expect(judge.verdict(of: survey) == .nothingToCompare)
            }
        }
    }

    @Test("Surveys at their true place fit; at the other end of the building most are doubted")
    func places() throws {
        let every = SimulatedMap.surveys.enumerated()
        let known = every.filter { $0.offset % 3 != 0 }.map(\.element)
        let fresh = every.filter { $0.offset % 3 == 0 }.map(\.element)
        let judge = SurveyJudge(SimulatedMap.map(known), site: SimulatedMap.site)
        let doubted = fresh.count { survey in
            if case .againstMap = judge.verdict(of: survey) { true } else { false }
        }
        #expect(Double(doubted) <= 0.01 * Double(fresh.count), "\(doubted) of \(fresh.count)")
        var caught = 0
        var tried = 0
        for survey in fresh {
            guard case .metres(let floor, let x, let y) = survey.place,
                let away = SimulatedMap.surveys.first(where: { other in
                    guard case .metres(let level, let ax, let ay) = other.place else {
                        return false
                    }
                    return level == floor
                        && Point(x: x, y: y).distance(to: Point(x: ax, y: ay)) > 30
                }), case .metres(_, let ax, let ay) = away.place
            else { continue }
            tried += 1
            if case .againstMap = judge.verdict(of: Self.moved(survey, x: ax, y: ay)) {
                caught += 1
            }
        }
        try #require(tried > 100)
        #expect(Double(caught) >= 0.5 * Double(tried), "\(caught) of \(tried)")
    }

    @Test(
        "Three agreeing doubted surveys at one place are a change; two or distant ones are not"
    )
    func changes() throws {
        let floor = try #require(Self.map.floors.first)
        let here = SimulatedMap.surveys.filter { survey in
            guard case .metres(let level, let x, let y) = survey.place else { return false }
            return level == floor && x < 8 && y < 8
        }
        let three = Array(here.prefix(3))
        try #require(three.count == 3)
        func changes(_ surveys: [SurveyRecorded], agree: Bool = true) -> [SurveyedChange] {
            SurveyedChange.all(in: surveys, site: SimulatedMap.site) { _, _ in agree }
        }
        let found = changes(three)
        #expect(found.count == 1)
        #expect(found.first?.surveys.count == 3)
        #expect(changes(Array(three.prefix(2))).isEmpty)
        #expect(changes(three, agree: false).isEmpty)
        #expect(changes(Array(three.prefix(2)) + [Self.moved(three[2], x: 40, y: 3)]).isEmpty)
    }

    @Test("Surveys without sense do not crash")
    func nonsense() throws {
        var survey = try #require(SimulatedMap.surveys.first)
        survey.scan.wifi = []
        #expect(Self.judge.verdict(of: survey) == .nothingToCompare)
        survey.place = .metres(floor: FloorID("nowhere"), x: 0, y: 0)
        #expect(Self.judge.verdict(of: survey) == .nothingToCompare)
    }
}
