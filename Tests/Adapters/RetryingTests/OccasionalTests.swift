import Testing

@testable import Retrying

@Suite("Occasional reports") struct OccasionalTests {
    private let start = ContinuousClock.now

    @Test("Each key is admitted up to a limit per period; the next one counts those left out")
    func window() {
        let reports = Occasional<String>(2, per: .seconds(10))
        let decisions = [0, 1, 2, 9, 10, 11, 12, 20].map { second in
            reports.decide("a", at: start + .seconds(second))
        }
        #expect(
            decisions == [
                .admit(leftOut: 0), .admit(leftOut: 0), .refuse, .refuse, .admit(leftOut: 2),
                .admit(leftOut: 0), .refuse, .admit(leftOut: 1),
            ])
    }

    @Test("Keys count separately, and only a limited number of them is remembered")
    func keys() {
        let reports = Occasional<Int>(1, per: .seconds(10), mostKeys: 2)
        for key in [1, 2] { #expect(reports.decide(key, at: start) == .admit(leftOut: 0)) }
        for key in [1, 2] { #expect(reports.decide(key, at: start) == .refuse) }
        #expect(reports.decide(3, at: start) == .admit(leftOut: 0))
        #expect(reports.decide(1, at: start) == .admit(leftOut: 0))
        #expect(reports.decide(3, at: start) == .refuse)
    }
}
