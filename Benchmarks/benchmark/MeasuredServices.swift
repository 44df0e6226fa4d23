import Foundation
import HTTPClient

/// Where the services that are measured answer: one process of the benchmark's own, or several that
/// run already.
struct MeasuredServices {
    /// Of one process these are the same.
    let scanIngest: String
    let fingerprintBuilder: String
    var token: String

    init(_ service: RunningService) {
        let url = "http://127.0.0.1:\(service.port)"
        (scanIngest, fingerprintBuilder, token) = (url, url, service.token)
    }

    /// nil where the environment names none. The token is the benchmark's to make.
    init?(_ environment: [String: String]) {
        guard let scanIngest = environment["WHEREABOUTS_SCAN_INGEST_URL"],
            let fingerprintBuilder = environment["WHEREABOUTS_FINGERPRINT_BUILDER_URL"]
        else { return nil }
        (self.scanIngest, self.fingerprintBuilder, token) = (scanIngest, fingerprintBuilder, "")
    }

    var headers: [(name: String, value: String)] {
        [(name: "authorization", value: "Bearer \(token)")]
    }

    /// Asks until the answer is 200.
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
