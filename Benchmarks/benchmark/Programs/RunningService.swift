import Cryptography
import Foundation

/// Services in one new process, with a site and an administrator's token in their log.
struct RunningService {
    let program: PinnedProgram
    let port: Int
    let token: String

    /// - Parameters:
    ///   - services: their names; none for all services.
    ///   - environment: settings in addition to the log and the port.
    init(
        _ services: String..., log: ChosenLog, processor: Int? = nil,
        environment: [String: String] = [:], in directory: URL
    ) async throws {
        token = try await LogContents.publish(to: log).text
        port = Int.random(in: 20_000..<32_000)
        let settings = [
            "WHEREABOUTS_LISTEN": "127.0.0.1:\(port)",
            // All devices share one token here, so its quota must not limit them.
            "WHEREABOUTS_REQUESTS_PER_SECOND": "1000000",
            "WHEREABOUTS_REQUEST_BURST": "1000000",
        ]
        program = try PinnedProgram(
            "whereabouts", ["serve"] + services, processor: processor,
            environment: settings.merging(environment) { $1 }.merging(log.environment) { $1 },
            in: directory)
        try await waitUntil("ready", path: "/readyz")
    }

    /// Sends GET until the answer is 200.
    ///
    /// - Parameter what: the state that is waited for, for the error's text.
    func waitUntil(_ what: String, path: String) async throws {
        let services = MeasuredServices(self)
        try await services.waitUntil(what, services.scanIngest, path: path)
    }
}
