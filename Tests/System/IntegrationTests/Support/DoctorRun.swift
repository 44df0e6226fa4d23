import Foundation
import TestSupport

/// The findings of one run of `whereabouts doctor`.
struct DoctorRun: Sendable {
    struct Check: Sendable {
        var name: String
        var result: String
        var text: String
    }

    var status: Int32
    var checks: [Check]
    var said: String

    /// Runs it with the settings of the campus.
    ///
    /// - Parameter changes: settings that are others for the doctor.
    init(_ campus: Campus, _ changes: [String: String] = [:]) async throws {
        var environment = campus.environment.merging(changes) { $1 }
        if campus.shape == .together {
            environment["WHEREABOUTS_LISTEN"] = campus.url("whereabouts")
                .replacing("http://", with: "")
        }
        let run = try await ProgramRun.of(
            campus.program + ["doctor", "--json"], environment: environment)
        status = run.status
        said = run.output + run.errors
        let list = run.summary["checks"] as? [[String: Any]] ?? []
        checks = list.map {
            Check(
                name: $0["check"] as? String ?? "", result: $0["result"] as? String ?? "",
                text: $0["text"] as? String ?? "")
        }
    }

    /// Names of checks with this result. Those of the machine's own disk are left out, since nobody
    /// knows how full the disk is where tests run.
    func names(_ result: String) -> Set<String> {
        Set(checks.filter { $0.result == result && !$0.name.hasPrefix("disk") }.map(\.name))
    }
}
