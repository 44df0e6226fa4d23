import HTTP
import HTTPClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct ReadyAnswerTests {
    @Test("A prepared answer can be sent many times, even by several threads at once")
    func madeReady() async throws {
        let ready = HTTPResponse(
            status: 201, headers: [("content-type", "text/plain"), ("x-made", "once")],
            body: .bytes(Array("ready".utf8))
        ).madeReady()
        var changed = ready
        changed.body = .bytes(Array("changed".utf8))
        let (sent, other) = (ready, changed)
        let routes = [
            Route(
                .get, "/ready", handler: .callback { $1.respond(sent) }),
            Route(
                .get, "/changed", handler: .callback { $1.respond(other) }),
        ]
        let client = HTTPClient()
        try await withServer(routes) {
            $0.threads = 3
        } _: { server in
            let url = "http://127.0.0.1:\(server.port)"
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 { group.addTask { try await client.send("GET", url + "/ready") } }
                for try await answer in group {
                    #expect(answer.status == 201)
                    #expect(answer.body == Array("ready".utf8))
                    #expect(answer.headers["x-made"] == "once")
                    #expect(answer.headers["content-type"] == "text/plain")
                }
            }
            let head = try await client.send("HEAD", url + "/ready")
            #expect(head.status == 201)
            #expect(head.body.isEmpty)
            let answer = try await client.send("GET", url + "/changed")
            #expect(answer.body == Array("changed".utf8))
            #expect(answer.headers["x-made"] == "once")
        }
    }
}
