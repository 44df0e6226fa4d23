import Foundation
import HTTP
import HTTPClient
import Repository
import Synchronization
import Testing

@testable import Commands

@Suite("The command publish") struct PublishRequestTests {
    /// Sends the request of `arguments` to a server with a draft of `museum`.
    ///
    /// - Parameters:
    ///   - removal: the status of an answer to DELETE.
    ///   - published: the version that is published before.
    ///   - reading: the status of an answer to GET of the published version, whose body is no site.
    /// - Returns: the lines of stdout and of stderr, and the paths and queries that were deleted.
    private func run(
        _ arguments: String..., removal: Int = 204, published: Int = 6, reading: Int = 200
    ) async throws -> (output: [String], notes: [String], removed: [String]) {
        let output = Mutex<[String]>([])
        let notes = Mutex<[String]>([])
        let removed = Mutex<[String]>([])
        let draft = Route(
            .get, "/v1/sites/{site}",
            handler: .task { request in
                let isDraft = request.firstQuery("version") == "draft"
                let tag = isDraft ? #""draft-3""# : "\"\(published)\""
                let text = """
                    {"name": "A", "origin": {"latitude": 51, "longitude": 0}, "bearingDegrees": 0, \
                    "buildings": [], "floors": [], "rooms": [], "locations": []}
                    """
                return HTTPResponse(
                    status: isDraft ? 200 : reading, headers: [("etag", tag)],
                    body: .bytes(Array((isDraft ? text : "no site").utf8)))
            })
        let publish = Route(
            .post, "/v1/sites/{site}/publish",
            handler: .task { request in
                let isTest = String(decoding: request.body, as: UTF8.self).contains("test")
                let text =
                    isTest
                    ? #"{"site":"museum","testersSite":"museum.test","testersVersion":4}"#
                    : #"{"site":"museum","version":7}"#
                return HTTPResponse(status: 200, body: .bytes(Array(text.utf8)))
            })
        let remove = Route(
            .delete, "/v1/sites/{site}",
            handler: .task { request in
                let confirmation = request.firstQuery("confirm") ?? "unconfirmed"
                let site = request.parameters["site"] ?? ""
                removed.withLock { $0.append("\(site) \(confirmation)") }
                return HTTPResponse(status: removal)
            })
        try await withServices([draft, publish, remove]) { services in
            let invocation = Invocation(
                arguments: arguments, output: { line in output.withLock { $0.append(line) } },
                note: { line in notes.withLock { $0.append(line) } })
            try await PublishRequest(arguments).send(to: services, invocation)
        }
        return (output.withLock { $0 }, notes.withLock { $0 }, removed.withLock { $0 })
    }

    @Test("prints the version that everybody sees, or the testers' site and its version")
    func versions() async throws {
        #expect(
            try await run("--site", "museum").output == [#"{"site":"museum","version":7}"#])
        #expect(
            try await run("--site", "museum", "--testers").output
                == [#"{"site":"museum","testersSite":"museum.test","testersVersion":4}"#])
    }

    @Test("says whether there is a new version")
    func unchanged() async throws {
        #expect(
            try await run("--site", "museum").notes == ["Version 7 of museum is published."])
        #expect(
            try await run("--site", "museum", published: 7).notes
                == ["Nothing has changed: version 7 of museum stays published."])
        for status in [404, 500, 503] {
            #expect(
                try await run("--site", "museum", published: 7, reading: status).notes
                    == ["Version 7 of museum is published."])
        }
    }

    @Test("ends a test: removes the testers' site, without a confirmation that removes others")
    func end() async throws {
        let ended = try await run("--site", "museum", "--end-test")
        #expect(ended.output == [#"{"site":"museum","endedTestersSite":"museum.test"}"#])
        #expect(ended.removed == ["museum.test unconfirmed"])
        let missing = await #expect(throws: CommandFault.self) {
            try await run("--site", "museum", "--end-test", removal: 404)
        }
        #expect(missing?.description.contains("there is no test to end") == true)
    }

    @Test(
        "has either --testers or --end-test, and names the site itself",
        arguments: [
            ["--site", "museum", "--testers", "--end-test"],
            ["--site", "museum.test", "--end-test"], ["--end-test"],
        ])
    func usage(_ arguments: [String]) {
        #expect(throws: UsageFault.self) { try PublishRequest(arguments) }
    }

    @Test("has each option in its help and in the guide to one's own building")
    func documented() throws {
        let guide = try String(
            contentsOf: repository.appending(path: "docs/your-building.md"), encoding: .utf8)
        for option in ["--testers", "--end-test"] {
            #expect(Command.publish.help.contains(option))
            #expect(guide.contains("whereabouts publish --site museum \(option)"))
        }
    }
}
