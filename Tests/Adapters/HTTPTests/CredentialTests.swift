import HTTP
import Testing

@Suite("A token in another place than the field of bearer tokens") struct CredentialTests {
    /// The routes `GET /here` and `POST /guarded` are for the role `device`.
    private static func handler(_ route: Route) throws -> RequestHandler {
        try RequestHandler(
            routes: [route], authenticator: RoleTokens(), authorizer: testRules,
            failuresPerSecondPerAddress: 1, failureBurst: 3)
    }

    private static func echo(_ method: HTTPMethod, _ path: String) -> Route {
        Route(
            method, path,
            handler: .task { request in
                HTTPResponse(
                    body: .bytes(Array(request.query.map { "\($0.name);" }.joined().utf8)))
            })
    }

    private static func ask(
        _ handler: RequestHandler, authorization: String? = nil,
        query: [(name: String, value: String)] = []
    ) async -> HTTPResponse {
        await handler.handle(
            HTTPRequest(
                method: .get, path: "/here", query: query,
                headers: authorization.map { ["authorization": $0] } ?? [:]))
    }

    private static func bytes(_ answer: HTTPResponse) -> [UInt8]? {
        guard case .bytes(let bytes) = answer.body else { return nil }
        return bytes
    }

    @Test(
        "is the password of the Basic scheme where the route takes it",
        arguments: [
            // any:device-token, :device-token, and one without padding
            ("Basic YW55OmRldmljZS10b2tlbg==", 200), ("basic OmRldmljZS10b2tlbg==", 200),
            ("Basic OmRldmljZS10b2tlbg", 200), ("Bearer device-token", 200),
            // any:wrong, any, and no base64
            ("Basic YW55Ondyb25n", 401), ("Basic YW55", 401), ("Basic %%%", 401),
            ("Basic YW55OmRldmljZS10b2tlbg===", 401), ("Basic ", 401),
        ])
    func basic(authorization: String, status: Int) async throws {
        let handler = try Self.handler(Self.echo(.get, "/here").accepting(.basic))
        #expect(await Self.ask(handler, authorization: authorization).status == status)
        // Other routes take bearer tokens alone.
        let usual = try Self.handler(Self.echo(.get, "/here"))
        let isBearer = authorization.hasPrefix("Bearer")
        let answer = await Self.ask(usual, authorization: authorization)
        #expect(answer.status == (isBearer ? 200 : 401))
    }

    @Test("is a parameter of the query where the route takes it, and the handler never sees it")
    func query() async throws {
        let handler = try Self.handler(Self.echo(.get, "/here").accepting(.query("key")))
        let answer = await Self.ask(
            handler, query: [("a", "1"), ("key", "device-token"), ("key", "x")])
        #expect(answer.status == 200)
        let bytes = try #require(Self.bytes(answer))
        #expect(String(decoding: bytes, as: UTF8.self) == "a;")
        #expect(await Self.ask(handler, query: [("key", "wrong")]).status == 401)
        #expect(await Self.ask(handler, query: [("key", "editor-token")]).status == 403)
        // The field wins.
        let both = await Self.ask(
            handler, authorization: "Bearer wrong", query: [("key", "device-token")])
        #expect(both.status == 401)
        let usual = try Self.handler(Self.echo(.get, "/here"))
        #expect(await Self.ask(usual, query: [("key", "device-token")]).status == 401)
    }

    @Test("counts as a failure where it is wrong, and the route's own form has each problem")
    func problems() async throws {
        let handler = try Self.handler(
            Self.echo(.get, "/here").accepting(
                .query("key"),
                problems: {
                    HTTPResponse(status: 418, body: .bytes(Array($0.code.utf8)))
                }))
        var codes: [String] = []
        for _ in 0..<4 {
            let answer = await Self.ask(handler, query: [("key", "wrong")])
            #expect(answer.status == 418)
            let bytes = try #require(Self.bytes(answer))
            codes.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(
            codes == ["token-wrong", "token-wrong", "token-wrong", "too-many-requests"])
    }
}
