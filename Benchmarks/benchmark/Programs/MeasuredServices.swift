import Foundation
import HTTPClient

/// The addresses of the services to measure: one process that the benchmark has started, or
/// several that run already.
struct MeasuredServices {
    /// With one process, both addresses are the same.
    let scanIngest: String
    let fingerprintBuilder: String
    var token: String

    init(_ service: RunningService) {
        let url = "http://127.0.0.1:\(service.port)"
        (scanIngest, fingerprintBuilder, token) = (url, url, service.token)
    }

    /// The running services that the environment names; nil if it names none. The caller has to set
    /// the token.
    init?(_ environment: [String: String]) {
        guard let scanIngest = environment["WHEREABOUTS_SCAN_INGEST_URL"],
            let fingerprintBuilder = environment["WHEREABOUTS_FINGERPRINT_BUILDER_URL"]
        else { return nil }
        (self.scanIngest, self.fingerprintBuilder, token) = (scanIngest, fingerprintBuilder, "")
    }

    var headers: [(name: String, value: String)] {
        [(name: "authorization", value: "Bearer \(token)")]
    }

    /// Sends GET until the answer is 200.
    ///
    /// - Parameter what: the state that is waited for, for the error's text.
    func waitUntil(_ what: String, _ service: String, path: String) async throws {
        let client = HTTPClient()
        defer { client.close() }
        let deadline = Date(timeIntervalSinceNow: 120)
        var last = "nothing answered"
        while Date() < deadline {
            let answer = try? await client.send("GET", service + path, headers: headers)
            if answer?.status == 200 { return }
            if let answer { last = String(decoding: answer.body, as: UTF8.self) }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchmarkFault("the service is not \(what): \(last)")
    }
}
