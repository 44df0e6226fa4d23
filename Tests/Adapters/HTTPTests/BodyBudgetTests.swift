import Dispatch
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(2))) struct BodyBudgetTests {
    @Test("A stranger gets a quarter of what all strangers share, so one can't shut out others")
    func strangers() {
        let budget = BodyBudget(maximum: 512 << 20, maximumOfSender: 128 << 20)
        func reserve(_ megabytes: Int, _ sender: String) -> Bool {
            budget.reserve(megabytes << 20, for: sender, isStranger: true)
        }
        for sender in ["a", "b", "c", "d"] {
            #expect(reserve(16, sender))
            #expect(!reserve(1, sender))
        }
        #expect(!reserve(1, "e"), "all strangers have an eighth")
        #expect(budget.reserve(128 << 20, for: "token"))
        budget.give(back: 16 << 20, of: "a", isStranger: true)
        #expect(reserve(16, "e"))
    }

    @Test(
        "A stranger's largest body has room, however little memory there is",
        arguments: [8, 63, 256])
    func least(megabytes: Int) {
        let budget = BodyBudget(maximum: megabytes << 20, maximumOfSender: 40 << 20)
        for _ in 0..<128 { #expect(budget.reserve(65_536, for: "a", isStranger: true)) }
        #expect(!budget.reserve(1, for: "a", isStranger: true))
    }

    @Test("A route that refuses by the path answers before the body comes")
    func refusedByPath() async throws {
        let route = Route(
            .post, "/posts/{site}", maximumBodyBytes: 8 << 20,
            handler: .task { _ in HTTPResponse(status: 204) }
        ).refusing { parameters in parameters["site"] == "known" ? nil : Problem.notFound }
        try await withServer([route]) { server in
            let port = server.port
            for (site, body, status) in [("other", "", "404"), ("known", "abc", "204")] {
                let length = body.isEmpty ? 8_000_000 : body.utf8.count
                let answer = await withCheckedContinuation {
                    (continuation: CheckedContinuation<String, Never>) in
                    DispatchQueue(label: "raw client").async {
                        let client = RawClient(port: port)
                        client.send(
                            "POST /posts/\(site) HTTP/1.1\r\nHost: x\r\n"
                                + "Content-Length: \(length)\r\n\r\n\(body)")
                        continuation.resume(returning: client.read(until: "\r\n\r\n"))
                    }
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
            }
        }
    }
}
