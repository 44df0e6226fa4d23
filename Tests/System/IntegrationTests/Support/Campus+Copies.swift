import Foundation
import HTTPClient
import TestSupport

extension Campus {
    /// Starts one more process of a service beside the process of all, and waits until it is ready.
    func copy(of service: String) async throws -> (process: ServerProcess, url: String) {
        let address = "127.0.0.1:\(freePorts(1)[0])"
        var environment = environment
        environment["WHEREABOUTS_LISTEN"] = address
        for neighbour in ["SITE_EDITOR", "FINGERPRINT_BUILDER", "LOCATOR"] {
            environment["WHEREABOUTS_\(neighbour)_URL"] = url("whereabouts")
        }
        let process = try ServerProcess(
            Programs.command(service),
            logPath: folder.appending(path: "copy-\(address).log").path, environment: environment)
        let client = HTTPClient()
        try await eventually("the copy of \(service) is ready", seconds: 60) {
            (try? await client.send("GET", "http://\(address)/readyz"))?.status == 200
        }
        return (process, "http://\(address)")
    }
}
