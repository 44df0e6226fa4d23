import Events
import ServiceHost
import Site
import Testing

@Suite("A counter of changes")
struct ChangeCounterTests {
    private static let long = Duration.seconds(4)

    private func rests(_ counter: ChangeCounter, since count: UInt64) async -> Duration {
        await ContinuousClock().measure { await counter.rest(since: count) }
    }

    @Test("does not rest after a change that came before the rest")
    func earlier() async {
        let counter = ChangeCounter()
        let count = counter.count
        counter.add()
        #expect(await rests(counter, since: count) < Self.long)
    }

    @Test("ends a rest at a change, and without one after some seconds")
    func during() async {
        let counter = ChangeCounter()
        let count = counter.count
        async let rested = rests(counter, since: count)
        counter.add()
        #expect(await rested < Self.long)
        #expect(await rests(counter, since: counter.count) >= Self.long)
    }

    @Test("counts each change of the sites")
    func sites() {
        let (sites, counter) = (SiteDirectory(), ChangeCounter())
        sites.countChanges(in: counter)
        sites.replace(with: [:])
        sites.replace(with: [:])
        #expect(counter.count == 2)
    }
}
