import HTTP
import HTTPClient
import ServiceHost
import Wire

extension PageServices {
    private static let timeoutSeconds = 10.0
    /// A page does not wait long for what it can do without.
    private static let timesTimeoutSeconds = 2.0

    /// - Parameter own: the service's routes but for pages.
    init(_ host: Host, _ people: People, own: [Route]) throws {
        self.own = try RequestHandler(
            routes: own.asServed(notices: host.notices), authenticator: host.tokens,
            authorizer: TableAuthorizer(),
            onUnexpected: { host.unexpected($0) })
        sites = host.sites
        clock = host.clock
        beginSession = {
            let session = try people.session(of: nil)
            return (session.text, session.value.changeToken)
        }
        let address = host.address(of: "router")
        askRouter = { [client = host.client] body, credentials in
            let answer = try await client.send(
                "POST", address + "/v1/routes",
                headers: credentials + [(name: "content-type", value: "application/json")],
                body: body, timeoutSeconds: Self.timeoutSeconds)
            return (answer.status, answer.body)
        }
        let timetables = host.neighbour("timetable-fetcher", asItself: false)
        self.timetables = { path, credentials in
            let answer = try? await timetables.get(
                path, headers: credentials, timeoutSeconds: Self.timesTimeoutSeconds)
            guard let answer, answer.status == 200 else { return nil }
            return answer.body
        }
    }
}
