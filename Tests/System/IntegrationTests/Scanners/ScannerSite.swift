import Foundation
import HTTPClient
import TestSupport

/// A small site with a radio map, and scanners that are the real program with a radio of the
/// test's own: a program `iw` that prints a scan.
final class ScannerSite: Sendable {
    let site: SmallSite
    let folder: URL
    private let client = HTTPClient()
    var campus: Campus { site.campus }

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
            echo "$$ $(date +%s%N)" >>"$folder/starts$SCANNER"
            if [ -e "$folder/slow" ]; then exec sleep 60; fi
            cat <<'END'
            \(blocks.joined())
            END
            echo "$$ $(date +%s%N)" >>"$folder/ends$SCANNER"
            """
    }()

    /// When the radio of one scanner of many started or ended its scans, in seconds.
    func times(_ kind: String, _ name: String) -> [Double] {
        moments(in: "\(kind)-\(name)").map(\.at)
    }

    /// Each start of the radio's program: its process, and when.
    var starts: [(process: pid_t, at: Double)] { moments(in: "starts-pi-7") }

    private func moments(in file: String) -> [(process: pid_t, at: Double)] {
        let file = folder.appending(path: file)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let process = pid_t(words[0]), let at = Double(words[1]) else {
                return nil
            }
            return (process, at / 1e9)
        }
    }

    /// Lets an enrolled scanner call its server by another address.
    func move(_ name: String, to url: String) throws {
        let file = URL(filePath: "\(state(name))/enrolment.json")
        var enrolment = jsonObject(Array(try Data(contentsOf: file)))
        enrolment["server"] = url
        try Data(jsonText(enrolment)).write(to: file)
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
            ], logPath: state("\(name).log"),
            environment: environment.merging(["SCANNER": "-\(name)"]) { $1 })
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

    /// Surveyors whom all these copies know.
    func askers(_ count: Int, at copies: [String]) async throws -> [String] {
        var askers: [String] = []
        for _ in 0..<count {
            let answer = try await campus.send(
                "POST", "/v1/tokens", token: site.administrator,
                body: jsonText(["role": "surveyor", "site": SmallSite.name]))
            guard let token = answer.json["token"] as? String else {
                throw TestServerError("no token: \(answer.text)")
            }
            for copy in copies {
                try await eventually("\(copy) knows the token") {
                    try await self.client.send(
                        "GET", copy + "/v1/limits", headers: [("authorization", "Bearer \(token)")]
                    ).status == 200
                }
            }
            askers.append(token)
        }
        return askers
    }

    /// Asks for a scan, and when in seconds.
    ///
    /// - Parameter asker: nil for the site's surveyor.
    func ask(
        _ wish: [String: Any], as asker: String? = nil
    ) async throws -> (id: String, at: Double) {
        let at = Date().timeIntervalSince1970
        let answer = try await campus.send(
            "POST", "/v1/sites/\(SmallSite.name)/scan-requests", token: asker ?? site.surveyor,
            body: jsonText(wish))
        guard answer.status == 202, let id = answer.json["id"] as? String else {
            throw TestServerError("not asked: \(answer.text)")
        }
        return (id, at)
    }

    /// - Parameter copy: the address of the copy of scan-ingest; nil for the process of all.
    func result(
        _ id: String, at copy: String? = nil, as asker: String? = nil
    ) async throws -> Answer {
        let answer = try await client.send(
            "GET", (copy ?? campus.url("whereabouts")) + "/v1/scan-requests/\(id)/result?wait=20",
            headers: [("authorization", "Bearer \(asker ?? site.surveyor)")])
        return Answer(status: answer.status, headers: answer.headers, body: answer.body)
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
