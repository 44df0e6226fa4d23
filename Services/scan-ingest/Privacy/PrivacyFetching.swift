import EventLog
import Events
import HTTPClient
import Privacy
import Retrying
import ServiceHost
import Wire

/// Asks site-editor for the keys of pseudonyms and for the enrolled devices, again and again.
///
/// site-editor makes each key a day ahead. So scans of devices that others hear go on for a day
/// while site-editor is away.
struct PrivacyFetching: Sendable {
    /// A device that was enrolled a moment ago should not stay a stranger for long.
    private static let every = Duration.seconds(3)
    /// The largest answer. A site with the most devices needs 10 MB, so this is for 25 of them.
    static let mostBytes = 256 << 20
    private static let timeoutSeconds = 60.0
    /// How long the first keys may be missing before records of the log are set aside for it.
    static let patienceMicroseconds: Int64 = 60_000_000

    struct Refused: CausedFault, CustomStringConvertible {
        var service = "site-editor"
        let status: Int
        var cause: FaultCause { .world }
        var description: String { "\(service) answered \(status)" }
    }

    let editor: Neighbour
    let directory: PrivacyDirectory
    let notices: Notices

    func run() async {
        var tag: String?
        await attemptUntilDone("Asking site-editor for the keys of pseudonyms", notices: notices) {
            retry in
            while !Task.isCancelled {
                try await ask(&tag)
                retry.ended()
                try await Task.sleep(for: Self.every)
            }
        }
    }

    private func ask(_ tag: inout String?) async throws {
        let answer = try await editor.get(
            "/v1/day-keys", headers: tag.map { [("if-none-match", $0)] } ?? [],
            timeoutSeconds: Self.timeoutSeconds)
        switch answer.status {
        case 304: return
        case 200:
            directory.replace(with: try SitePrivacyList.read(answer.body))
            tag = answer.headers["etag"]
        default: throw Refused(status: answer.status)
        }
    }
}
