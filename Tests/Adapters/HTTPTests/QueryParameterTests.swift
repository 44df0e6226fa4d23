import HTTP
import Testing

@Suite("The parameters of a query") struct QueryParameterTests {
    private static func handler() throws -> RequestHandler {
        let operations: [(HTTPMethod, String)] = [
            (.get, "/here"), (.get, "/bare"), (.get, "/open"), (.delete, "/here"),
        ]
        let routes = operations.map { method, path in
            Route(method, path, handler: .task { _ in HTTPResponse(status: 204) })
        }
        let rules = TestRules(
            roles: ["GET /here": ["device"]],
            parameters: ["GET /here": ["after", "limit"], "GET /bare": []],
            once: ["GET /here", "DELETE /here"])
        return try RequestHandler(
            routes: routes, authenticator: RoleTokens(), authorizer: rules)
    }

    private static func ask(
        _ path: String, _ names: [String], token: String? = "device-token",
        method: HTTPMethod = .get
    ) async throws -> (status: Int, body: String) {
        let headers = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
        let response = try await handler().handle(
            HTTPRequest(
                method: method, path: path, query: names.map { ($0, "1") }, headers: headers))
        guard case .bytes(let bytes) = response.body else { throw Problem.notBytes }
        return (response.status, text(bytes))
    }

    @Test("may be any of those that the path lists, each once, or none")
    func known() async throws {
        for names in [[], ["after"], ["limit", "after"]] {
            #expect(try await Self.ask("/here", names).status == 204, "\(names)")
        }
        for names in [["limit", "limit"], ["limit", "after", "limit"]] {
            let answer = try await Self.ask("/here", names)
            #expect(answer.status == 400 && answer.body.contains("query-malformed"))
            #expect(answer.body.contains("The parameter limit is there twice: send it once."))
        }
        #expect(try await Self.ask("/open", ["whatever", "whatever"]).status == 204)
    }

    @Test("are each there once in a change, too, whatever their names")
    func changes() async throws {
        #expect(try await Self.ask("/here", ["author", "any"], method: .delete).status == 204)
        let answer = try await Self.ask("/here", ["author", "author"], method: .delete)
        #expect(answer.status == 400 && answer.body.contains("query-malformed"))
        let long = String(repeating: "x", count: 5_000)
        let cut = try await Self.ask("/here", [long, long], method: .delete)
        #expect(cut.status == 400 && cut.body.utf8.count < 500)
    }

    @Test(
        "are refused by name where the path does not list them, and the answer lists those it has",
        arguments: ["limt", "Limit", "", "device", "näher"])
    func unknown(name: String) async throws {
        let answer = try await Self.ask("/here", ["after", name])
        #expect(answer.status == 400)
        #expect(answer.body.contains("\"code\":\"field-unknown\""))
        #expect(
            answer.body.contains(
                "There is no parameter \(name); the known ones are: after, limit."))
        #expect(try await Self.ask("/here", [name], method: .head).status == 400)
    }

    @Test("are all refused where the path has none, and a long name is cut")
    func none() async throws {
        let answer = try await Self.ask("/bare", [String(repeating: "x", count: 5_000)])
        #expect(answer.status == 400)
        #expect(answer.body.contains("the known ones are: none."))
        #expect(answer.body.utf8.count < 500)
    }

    @Test("are named without characters that control a terminal")
    func control() async throws {
        let answer = try await Self.ask("/bare", ["\u{1B}[2J\nlimit\u{7F}"])
        #expect(answer.body.contains("There is no parameter [2Jlimit; the known"))
    }

    @Test("are no matter for a caller who may not ask at all")
    func strangers() async throws {
        #expect(try await Self.ask("/here", ["limt"], token: nil).status == 401)
        #expect(try await Self.ask("/here", ["limt"], token: "editor-token").status == 403)
    }
}
