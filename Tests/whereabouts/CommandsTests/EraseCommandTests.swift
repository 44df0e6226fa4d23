import Events
import HTTP
import HTTPClient
import Synchronization
import Testing

@testable import Commands

@Suite("The command erase") struct EraseCommandTests {
    /// Runs it on a server that has no site, and returns whether it asked for the erasure.
    private func asks(rows: Int?, isRemoved: Bool = false) async throws -> Bool {
        let isAsked = Mutex(false)
        let routes = [
            Route(
                .get, "/v1/sites/{site}",
                handler: .task { _ in throw Problem(status: 404, code: "x", detail: "none") }),
            Route(
                .get, "/v1/sites/{site}/devices/{id}/report",
                handler: .task { _ in
                    let kept = rows.map { #"{"data":"x","rows":\#($0)}"# }
                    let services = kept.map { #"[{"service":"a","kept":[\#($0)]}]"# } ?? "[]"
                    return .json(
                        Array(#"{"complete":\#(rows != nil),"services":\#(services)}"#.utf8))
                }),
            Route(
                .delete, "/v1/sites/{site}/devices/{id}",
                handler: .task { _ in
                    isAsked.withLock { $0 = true }
                    var response = HTTPResponse.json([], status: 202)
                    response.headers.append(("location", "/v1/sites/a/erasures/b"))
                    return response
                }),
            Route(
                .get, "/v1/sites/{site}/erasures/{id}",
                handler: .task { _ in .json(Array(#"{"done":true}"#.utf8)) }),
        ]
        let invocation = Invocation(arguments: [], output: { _ in }, note: { _ in })
        try await withServices(routes) { services in
            try await Command.erase(
                DeviceID("d"), at: SiteID("nosuch"), isRemoved: isRemoved, services, invocation)
        }
        return isAsked.withLock(\.self)
    }

    @Test("refuses a site that there is not, and erases where a service or the caller knows more")
    func mistypedSite() async throws {
        let fault = await #expect(throws: CommandFault.self) { try await asks(rows: 0) }
        #expect(fault?.description.hasPrefix("there is no site nosuch") == true)
        // The site was removed.
        #expect(try await asks(rows: 3))
        #expect(try await asks(rows: 0, isRemoved: true))
        // A service does not answer, so nobody knows. The erasure waits for it.
        #expect(try await asks(rows: nil))
    }
}
