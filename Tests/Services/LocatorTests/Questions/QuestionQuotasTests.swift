import Access
import Events
import ServiceBench
import ServiceHost
import Site
import Testing

@testable import HTTP
@testable import Locator

@Suite("Quotas of questions") struct QuestionQuotasTests {
    private func request(_ session: String?, from address: String) -> HTTPRequest {
        var request = HTTPRequest(method: .post, path: "/v1/locate")
        request.senderAddress = NetworkAddress(address)
        request.principal = Caller(
            id: session ?? "token", grants: [Grant(.anonymous, site: SiteID("s"))],
            changeToken: session == nil ? nil : "x")
        return request
    }

    private func granted(
        _ quotas: QuestionQuotas, _ times: Int, _ make: (Int) -> HTTPRequest
    ) -> Int {
        (0..<times).count { number in
            (try? quotas.spend(make(number), at: ServiceBench.start)) != nil
        }
    }

    @Test("One session has its burst, many of one address have that of the address")
    func limits() {
        let one = granted(QuestionQuotas(), 100) { _ in request("a", from: "192.0.2.1") }
        #expect(one == Int(QuestionQuotas.ofSession.burst))
        let many = granted(QuestionQuotas(), 3_000) { request("s\($0)", from: "192.0.2.1") }
        #expect(many == Int(QuestionQuotas.ofAddress.burst))
        let spread = granted(QuestionQuotas(), 3_000) {
            request("s\($0)", from: "192.0.2.\($0 % 200)")
        }
        #expect(spread == 3_000)
    }

    @Test("A token is not counted here, and few senders are remembered")
    func tokens() {
        let quotas = QuestionQuotas(mostSenders: 10)
        #expect(granted(quotas, 100) { _ in request(nil, from: "192.0.2.1") } == 100)
        #expect(granted(quotas, 100) { request("s\($0)", from: "192.0.2.1") } == 100)
    }

    @Test("The refusal says when to ask again")
    func waiting() throws {
        let quotas = QuestionQuotas()
        let asked = request("a", from: "192.0.2.1")
        _ = granted(quotas, 30) { _ in asked }
        let problem = try #require(throws: Problem.self) {
            try quotas.spend(asked, at: ServiceBench.start)
        }
        #expect(problem.status == 429 && problem.retryAfterSeconds == 1)
    }
}
