import Events
import HTTPClient
import ServiceHost
import Wire

extension Doctor {
    private static let answerSeconds = 5.0
    /// A `Date` has whole seconds, and the answer takes some time.
    private static let clockTolerance = 5.0

    /// Whether each process answers, is ready, has the same secret, clock and version, and what its
    /// metrics say.
    func services() async -> [Finding] {
        var findings: [Finding] = []
        for process in collector.processes { findings += await check(process) }
        let before = await collector.collect()
        try? await Task.sleep(for: .seconds(Self.countingSeconds))
        let samples = await collector.collect()
        guard samples.contains(where: { $0.name != AlarmRule.answering }) else {
            return findings + [Finding("metrics", .unknown, "no service shows any")]
        }
        return findings + [versions(samples)] + rules(samples, before: before)
    }

    private func check(_ process: MetricCollector.Process) async -> [Finding] {
        let secret = host.lastingSecret.map { [(name: "authorization", value: "Bearer \($0)")] }
        let answer: HTTPClientResponse
        do {
            answer = try await host.client.send(
                "GET", process.url + "/readyz", headers: secret ?? [],
                timeoutSeconds: Self.answerSeconds)
        } catch {
            return [
                Finding(
                    process.name, .wrong, "nothing answers at \(process.url): \(error.reason)",
                    advice: "Start it, or correct its address")
            ]
        }
        // It is one of ours, but has no time for the question.
        if let busy = Self.busy(process.name, answer) { return [busy] }
        if answer.status == 401 {
            return [
                Finding(
                    "secret", .wrong, "\(process.name) refuses the service secret of this place",
                    advice: "Set the same WHEREABOUTS_SERVICE_SECRET everywhere; restart the rest")
            ]
        }
        let secrets = Finding(
            "secret", .ok, "\(process.name) has the same service secret, or none is needed")
        return [readiness(process.name, answer), secrets, clock(process.name, answer)]
    }

    static func busy(_ name: String, _ answer: HTTPClientResponse) -> Finding? {
        guard answer.headers["content-type"]?.hasPrefix("application/problem+json") == true,
            answer.status == 429 || answer.status == 503
        else { return nil }
        return Finding(
            name, .warning,
            "refuses the question with \(answer.status), so its state can't be seen",
            advice: "Look again in a minute; its log has more")
    }

    private func readiness(_ name: String, _ answer: HTTPClientResponse) -> Finding {
        guard let readiness = ReadinessAnswer(json: answer.body) else {
            return Finding(
                name, .wrong, "another program answers at its address",
                advice: "Correct WHEREABOUTS_LISTEN, or the service's address")
        }
        guard !readiness.isReady else { return Finding(name, .ok, "ready") }
        let failing = readiness.unready.filter { $0.reason != nil }
        guard !failing.isEmpty else {
            let parts = readiness.unready.map(\.name).joined(separator: ", ")
            return Finding(
                name, .warning, "still starting: \(parts)", advice: "Look again in a minute")
        }
        let parts = failing.map { "\($0.name): \($0.reason ?? "")" }.joined(separator: "; ")
        return Finding(name, .wrong, "not ready: \(parts)", advice: "Its log has more")
    }

    private func clock(_ name: String, _ answer: HTTPClientResponse) -> Finding {
        guard let seconds = answer.headers["date"].flatMap(secondsSince1970) else {
            return Finding("clock", .unknown, "\(name) does not show its time")
        }
        let skew = Double(seconds) - Double(host.now.microseconds) / 1e6
        guard abs(skew) > Self.clockTolerance else {
            return Finding("clock", .ok, "\(name) and this machine agree")
        }
        return Finding(
            "clock", .warning, "\(name) is \(Self.span(skew)) ahead of this machine",
            advice: "Let all machines keep their time by NTP")
    }

    private func versions(_ samples: [MetricSample]) -> Finding {
        var processes: [String: [String]] = [:]
        for sample in samples where sample.name == "whereabouts_build_info" {
            processes[sample.labels["version"] ?? "", default: []].append(
                sample.labels["service"] ?? "")
        }
        guard !processes.isEmpty else {
            return Finding("version", .unknown, "no service shows its version")
        }
        processes[whereaboutsVersion, default: []].append("this program")
        guard processes.count > 1 else {
            return Finding("version", .ok, "\(whereaboutsVersion) everywhere")
        }
        let text = processes.sorted { $0.key < $1.key }
            .map { "\($0) of \($1.sorted().joined(separator: ", "))" }.joined(separator: "; ")
        return Finding(
            "version", .warning, text, advice: "Finish the upgrade: one version everywhere")
    }
}
