import Site
import Testing

@testable import Positioning

/// Tests that people who pass doors are outdoors or indoors soon, and those who pass by stay where
/// they are. No constant was tuned on this building or these seeds (docs/accuracy.md, section
/// Doors).
@Suite struct DoorWalkTests {
    private static let made = Result { try DoorHouse(seed: 902) }
    private let house: DoorHouse

    init() throws { house = try Self.made.get() }

    /// The sides that the default positioner publishes along a walk.
    private func sides(_ walk: DoorWalk, _ positioner: any PreparedPositioner) -> [Bool?] {
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        return walk.steps.map { step in
            let answer = positioner.locate(step.scan, state: state, seed: 0, scratch: &scratch)
            state = answer.state
            return answer.estimate.place.map { $0.floor == .outdoors }
        }
    }

    @Test("A hundred walks past doors and through them are seen in time, without flips")
    func hundred() {
        let positioner = AutomaticPositioner().prepare(house.map, site: house.site)
        var wrong: [String] = []
        for seed in UInt64(101)...200 {
            let walk = DoorWalk(in: house, seed: seed)
            let verdict = DoorVerdict(walk, published: sides(walk, positioner))
            if !verdict.isRight { wrong.append("\(seed) \(walk.way) \(walk.trouble): \(verdict)") }
        }
        #expect(wrong.count <= 4, "\(wrong)")
    }

    @Test("A telephone that states small radii indoors, too, is indoors there")
    func foundByWifi() {
        let positioner = AutomaticPositioner().prepare(house.map, site: house.site)
        var (scans, wrong) = (0, 0)
        for seed in UInt64(101)...200 {
            let walk = DoorWalk(in: house, seed: seed, isFoundByWifi: true)
            for (step, isOutdoors) in zip(walk.steps, sides(walk, positioner))
            where !step.isOutdoors {
                scans += 1
                wrong += isOutdoors == true ? 1 : 0
            }
        }
        #expect(Double(wrong) <= 0.05 * Double(scans), "\(wrong) of \(scans)")
    }

    @Test("A walk that is published late, never or with a flip is wrong")
    func planted() throws {
        // The second of six ways leaves the building, the last passes it by.
        let walk = DoorWalk(in: house, seed: 1)
        let (leaving, passing) = (DoorWalk(in: house, seed: 2), DoorWalk(in: house, seed: 6))
        #expect(walk.way == .pastInside && leaving.way == .leave && passing.way == .pastOutside)
        func isRight(_ walk: DoorWalk, _ side: (DoorWalk.Step) -> Bool?) -> Bool {
            DoorVerdict(walk, published: walk.steps.map(side)).isRight
        }
        let passage = try #require(leaving.passages.first?.seconds)
        #expect(isRight(leaving) { $0.isOutdoors })
        #expect(isRight(leaving) { $0.seconds > passage + 11 })
        #expect(!isRight(leaving) { $0.seconds > passage + 19 })
        #expect(!isRight(leaving) { $0.seconds > passage - 12 })
        #expect(!isRight(leaving) { _ in false })
        #expect(!isRight(leaving) { _ in nil })
        #expect(isRight(passing) { _ in true })
        #expect(!isRight(passing) { !(30...35).contains($0.seconds) })
        #expect(!isRight(walk) { (30...35).contains($0.seconds) })
        #expect(isRight(walk) { $0.isOutdoors })
    }

    @Test("The walks have all ways with all troubles, and scans on both sides")
    func walks() throws {
        let walks = (UInt64(1)...24).map { DoorWalk(in: house, seed: $0) }
        #expect(Set(walks.map { "\($0.way) \($0.trouble)" }).count == 24)
        for walk in walks {
            for step in walk.steps {
                let metres = try #require(
                    house.site.buildingShapes.signedDistance(from: step.point))
                #expect(step.isOutdoors ? metres >= -0.01 : metres <= 0.01)
            }
            let sides = Set(walk.steps.map(\.isOutdoors))
            #expect(sides.count == (walk.passages.isEmpty ? 1 : 2))
        }
    }
}
