import Access
import Events
import HTTP
import Testing

@testable import ServiceHost

@Suite("The answer to a change of a testers' site") struct TableAuthorizerTests {
    @Test("explains the reserved id and what to do, whether or not there is such a site")
    func testersSite() throws {
        let problem = try #require(Problem(.testersSite, at: SiteID("new.test")))
        #expect(problem.code == "testers-site")
        #expect(problem.detail.hasPrefix("Ids that end in .test are reserved for testers' sites"))
        #expect(problem.detail.contains("Do this at new in place of new.test"))
        #expect(!problem.detail.contains("new.test shows"))
    }
}
