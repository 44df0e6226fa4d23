import Events
import HTTP
import ServiceBench
import ServiceHost
import Testing

@testable import SiteEditor

@Suite("Quotas of barriers") struct BarrierQuotasTests {
    private func visitor(_ name: String) -> Caller {
        Caller(id: name, grants: [], changeToken: "x")
    }

    /// How many are granted, each to the caller of its number.
    private func granted(
        _ quotas: BarrierQuotas, _ work: BarrierQuotas.Work, _ times: Int,
        from address: String = "192.0.2.1", afterDays days: Int64 = 0,
        _ caller: (Int) -> Caller
    ) -> Int {
        let moment = ServiceBench.start.advanced(byMicroseconds: days * 86_400_000_000)
        return (0..<times).count { number in
            (try? quotas.spend(work, caller(number), address, at: moment)) != nil
        }
    }

    @Test("New sessions at one address deny ten reports at once and fifty a day, not all of a site")
    func denials() {
        let quotas = BarrierQuotas()
        #expect(granted(quotas, .deny, 100) { visitor("a\($0)") } == 10)
        #expect(granted(quotas, .deny, 100, from: "192.0.2.2") { visitor("b\($0)") } == 10)
        var ofDay = 0
        for hour in 1...24 {
            let moment = ServiceBench.start.advanced(
                byMicroseconds: Int64(hour) * 3_600_000_000)
            ofDay += (0..<100).count { number in
                let caller = visitor("c\(hour) \(number)")
                return (try? quotas.spend(.deny, caller, "192.0.2.1", at: moment)) != nil
            }
        }
        #expect((49...50).contains(ofDay))
    }

    @Test("Denials take no report from others at the address, and reports no denial")
    func apart() {
        let quotas = BarrierQuotas()
        #expect(granted(quotas, .deny, 100) { visitor("a\($0)") } == 10)
        #expect(granted(quotas, .report, 200) { visitor("b\($0)") } == 100)
        #expect(granted(quotas, .deny, 100, afterDays: 1) { visitor("c\($0)") } == 10)
    }

    @Test("One session has as many reports and denials together as it had reports")
    func session() throws {
        let (quotas, burst) = (BarrierQuotas(), Int(BarrierQuotas.ofSender.burst))
        #expect(granted(quotas, .deny, 4) { _ in visitor("a") } == 4)
        #expect(granted(quotas, .report, 100) { _ in visitor("a") } == burst - 4)
        let problem = try #require(throws: Problem.self) {
            try quotas.spend(.deny, visitor("a"), "192.0.2.1", at: ServiceBench.start)
        }
        #expect(problem.status == 429 && problem.retryAfterSeconds == 2_880)
        #expect(
            problem.detail == "You may report or deny 30 barriers a day, and 6 at once. "
                + "All visitors at your address may deny 50 a day. Try again in 48 minutes.")
    }

    @Test("An account counts by itself, whatever its address")
    func accounts() {
        let quotas = BarrierQuotas()
        #expect(granted(quotas, .deny, 100) { Caller(id: "a\($0)", grants: []) } == 100)
    }
}
