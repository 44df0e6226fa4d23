import RadioMapCare
import Testing

@Suite("Whether figures of positioners are present") struct ComparisonStandingTests {
    private typealias Basis = ComparisonStanding.Basis
    private static let present = Basis(radioMapVersion: 7, revision: 3)

    private func standing(
        hasBeside: Bool = true,
        present: ComparisonStanding.Basis? = ComparisonStandingTests.present, choice: Int? = 7,
        kept: ComparisonStanding.Basis? = nil, hasFailed: Bool = false
    ) -> ComparisonStanding {
        ComparisonStanding(
            hasBeside: hasBeside, present: present, choiceVersion: choice, kept: kept,
            hasFailed: hasFailed)
    }

    @Test("They are ready where they are of the newest map and selection, and nothing failed since")
    func ready() {
        let ready = standing(kept: Self.present)
        #expect(ready.state == .ready && ready.reason == nil)
        let failed = standing(kept: Self.present, hasFailed: true)
        #expect(failed.state == .outdated && failed.reason == .failed)
        let alone = standing(hasBeside: false, kept: Self.present)
        #expect(alone.state == .outdated && alone.reason == .nothingBeside)
    }

    @Test("Those of another map or selection are outdated until the present ones are made")
    func outdated() {
        for other in [
            Basis(radioMapVersion: 6, revision: 3), Basis(radioMapVersion: 7, revision: 2),
        ] {
            let standing = standing(kept: other)
            #expect(standing.state == .outdated && standing.reason == .inWork)
        }
    }

    @Test("Without figures the reason is the first step that lacks")
    func waiting() {
        let alone = standing(hasBeside: false, present: nil, choice: nil)
        #expect(alone.state == .waiting && alone.reason == .nothingBeside)
        #expect(standing(present: nil, choice: nil).reason == .noRadioMap)
        #expect(standing(choice: nil).reason == .newRadioMap)
        #expect(standing(choice: 6).reason == .newRadioMap)
        #expect(standing(hasFailed: true).reason == .failed)
        #expect(standing().reason == .inWork && standing().state == .waiting)
    }
}
