import Events
import HTTPClient
import ServiceRuntime
import Wire

extension Host {
    /// Reports to site-editor once a minute which tokens were used here, and when: unused tokens
    /// can then be revoked. Uses are lost when a report fails.
    func tokenUses() -> any Component {
        Loop("token-uses") { [self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(60))
                let uses = tokens.drainUses()
                for start in stride(from: 0, to: uses.count, by: Self.usesAtOnce) {
                    let batch = uses[start..<min(start + Self.usesAtOnce, uses.count)]
                    guard await report(Array(batch)) else { break }
                }
            }
        }
    }

    /// The most uses in one request.
    public static let usesAtOnce = 1_000

    private func report(_ uses: [(token: String, at: Timestamp)]) async -> Bool {
        let answer = try? await client.send(
            "POST", urls["site-editor"] + "/v1/token-uses",
            headers: [
                ("authorization", "Bearer \(serviceSecret)"), ("content-type", "application/json"),
            ], body: TokenUses.json(uses), timeoutSeconds: 10)
        return answer?.status == 204
    }
}
