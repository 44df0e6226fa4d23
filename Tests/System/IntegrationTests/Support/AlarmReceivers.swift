import Foundation
import Repository
import TestSupport

/// A mail server and a webhook, as programs of their own, that write down what they get.
final class AlarmReceivers: Sendable {
    static let user = "whereabouts"
    static let password = "a password with spaces"

    let folder: URL
    let smtpPort: String
    let webhookPort: String
    var certificate: String { folder.appending(path: "certificate.pem").path }
    private let process: ServerProcess

    /// Debian's Python has Debian's modules; another one may come first in the path.
    private static let python = "/usr/bin/python3"

    static let isInstalled =
        (try? runProgram([python, "-c", "import aiosmtpd"])) != nil
        && (try? runProgram(["which", "openssl"])) != nil

    /// Starts both. The mail server wants TLS and a password.
    init() async throws {
        folder = try makeTemporaryFolder("alarms")
        AtExit.remove(folder.path)
        let (certificate, key) = try Self.makeCertificate(in: folder)
        process = try ServerProcess(
            [
                Self.python,
                repository.appending(path: "Tests/System/Operation/receivers.py").path, folder.path,
                "--certificate", certificate, "--key", key, "--user", Self.user, "--password",
                Self.password,
            ], logPath: folder.appending(path: "log").path)
        let ports = folder.appending(path: "ports")
        try await eventually("the receivers listen") {
            FileManager.default.fileExists(atPath: ports.path)
        }
        let words = try String(contentsOf: ports, encoding: .utf8).split(separator: " ")
        (smtpPort, webhookPort) = (String(words[0]), String(words[1]))
    }

    /// A certificate for this machine that is good for twenty days.
    static func makeCertificate(in folder: URL) throws -> (certificate: String, key: String) {
        let certificate = folder.appending(path: "certificate.pem").path
        let key = folder.appending(path: "key.pem").path
        try runProgram([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", certificate, "-days",
            "20", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ])
        return (certificate, key)
    }

    func stop() { process.end(with: SIGTERM) }

    var mails: [[String: Any]] { lines(of: "mail") }
    /// The bodies of the requests.
    var posts: [[String: Any]] { lines(of: "webhook").compactMap { $0["body"] as? [String: Any] } }

    private func lines(of name: String) -> [[String: Any]] {
        let file = folder.appending(path: name)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { jsonObject(Array($0.utf8)) }
    }

    /// Lets the webhook answer 500, or no more.
    func refuse(_ isRefusing: Bool) throws {
        let file = folder.appending(path: "refuse")
        if isRefusing {
            try Data().write(to: file)
        } else {
            try FileManager.default.removeItem(at: file)
        }
    }
}
