import Foundation
import TestSupport

/// A small site with a radio map, and scanners that are the real program with a radio of the
/// test's own: a program `iw` that prints a scan.
final class ScannerSite: Sendable {
    let site: SmallSite
    let folder: URL
    private var campus: Campus { site.campus }

    init(kafka: RealKafka? = nil) async throws {
        site = try await SmallSite(
            settings: [
                "WHEREABOUTS_MAP_QUIET": "100ms", "WHEREABOUTS_REQUESTS_PER_SECOND": "0",
            ], kafka: kafka)
        folder = try makeTemporaryFolder("scanner")
        AtExit.remove(folder.path)
        try Data(Self.radio.utf8).write(to: folder.appending(path: "iw"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: "iw").path)
        for _ in 0..<3 {
            let survey = SmallSite.scan(["place": ["location": "a-1"], "ble": []])
            _ = try await site.campus.send(
                "POST", "/v1/surveys", token: site.administrator, body: jsonText(survey))
        }
        try await eventually("scans are located", seconds: 60) {
            try await campus.send(
                "POST", "/v1/locate", token: site.administrator, body: jsonText(SmallSite.scan())
            ).status == 200
        }
    }

    /// Notes its start in nanoseconds, then prints what surveys heard; with a file `slow` it takes
    /// a minute.
    private static let radio: String = {
        let blocks = (0..<25).map { number in
            let address = "00:62:ec:fd:ec:" + String(format: "%02x", number)
            return "BSS \(address)(on wlan0)\n\tfreq: 5180\n\tsignal: \(-40 - number).00 dBm\n"
                + "\tlast seen: 120 ms ago\n\tSSID: eduroam\n"
        }
        return """
            #!/bin/sh
            folder=$(dirname "$0")
            echo "$$ $(date +%s%N)" >>"$folder/starts"
            if [ -e "$folder/slow" ]; then exec sleep 60; fi
            cat <<'END'
            \(blocks.joined())
            END
            """
    }()

    /// Each start of the radio's program: its process, and when.
    var starts: [(process: pid_t, at: Double)] {
        let file = folder.appending(path: "starts")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let process = pid_t(words[0]), let at = Double(words[1]) else {
                return nil
            }
            return (process, at / 1e9)
        }
    }

    func makeRadio(slow: Bool) throws {
        let file = folder.appending(path: "slow")
        if slow { try Data().write(to: file) } else { try FileManager.default.removeItem(at: file) }
    }

    private var environment: [String: String] {
        ["PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path]
    }

    func state(_ name: String) -> String { folder.appending(path: name).path }

    func code(_ name: String) async throws -> String {
        let answer = try await campus.send(
            "POST", "/v1/sites/\(SmallSite.name)/enrolment-codes", token: site.administrator,
            body: jsonText(["scanner": name]))
        guard let code = answer.json["code"] as? String else {
            throw TestServerError("no code: \(answer.text)")
        }
        return code
    }

    func enrol(_ name: String, _ code: String) async throws -> ProgramRun {
        try await ProgramRun.of(
            [
                builtProgram("scanner"), "enrol", campus.url("whereabouts"), code, "--state",
                state(name),
            ], environment: environment)
    }

    func run(_ name: String, intervalSeconds: Int) throws -> ServerProcess {
        try ServerProcess(
            [
                builtProgram("scanner"), "run", "--state", state(name), "--source", "iw",
                "--bluetooth", "off", "--interval", "\(intervalSeconds)", "--rest-factor", "1",
            ], logPath: state("\(name).log"), environment: environment)
    }

    /// What `scanner status` says.
    func status(_ name: String) -> [String: Any] {
        let file = folder.appending(path: "\(name)/status.json")
        return jsonObject(Array((try? Data(contentsOf: file)) ?? Data()))
    }

    func faults(_ name: String) -> [String] { status(name)["faults"] as? [String] ?? [] }

    func log(_ name: String) -> String {
        (try? String(contentsOfFile: state("\(name).log"), encoding: .utf8)) ?? ""
    }

    /// Asks for a scan, and when in seconds.
    func ask(_ wish: [String: Any]) async throws -> (id: String, at: Double) {
        let at = Date().timeIntervalSince1970
        let answer = try await campus.send(
            "POST", "/v1/sites/\(SmallSite.name)/scan-requests", token: site.surveyor,
            body: jsonText(wish))
        guard answer.status == 202, let id = answer.json["id"] as? String else {
            throw TestServerError("not asked: \(answer.text)")
        }
        return (id, at)
    }

    func result(_ id: String) async throws -> Answer {
        try await campus.send(
            "GET", "/v1/scan-requests/\(id)/result?wait=20", token: site.surveyor)
    }

    /// Ends the tokens of a scanner.
    func revoke(_ name: String) async throws {
        let list = try await campus.send(
            "GET", "/v1/tokens?site=\(SmallSite.name)", token: site.administrator)
        let tokens = list.json["tokens"] as? [[String: Any]] ?? []
        for token in tokens where token["device"] as? String == name {
            _ = try await campus.send(
                "DELETE", "/v1/tokens/\(token["id"] as? String ?? "")", token: site.administrator)
        }
    }
}
