import Events
import HTTPClient
public import ServiceRuntime
import Wire

extension Host {
    /// Looks at the conditions of all alarms, and sends those that begin or end to the operator.
    /// One service of an installation runs it, for all of them.
    ///
    /// - Parameter publicURL: the address of the installation.
    public func alarms(publicURL: String) -> [any Component] {
        let settings = AlarmSettings(configuration)
        let watches = backupWatch() + certificateWatch(publicURL: publicURL)
        let channels = channels(settings, installation: Self.shortened(publicURL))
        guard !channels.isEmpty else { return watches }
        let collector = MetricCollector(configuration, client: client)
        return watches + [
            Loop("alarms") { [clock] in
                var (judge, channels) = (AlarmJudge(), channels)
                while !Task.isCancelled {
                    let samples = await collector.collect()
                    let changes = judge.judge(samples, at: clock.now)
                    for index in channels.indices {
                        channels[index].add(changes.map(\.entry))
                        await channels[index].flush(at: clock.now)
                    }
                    try? await Task.sleep(for: settings.round)
                }
            }
        ]
    }

    private func channels(_ settings: AlarmSettings, installation: String) -> [AlarmChannel] {
        var channels: [AlarmChannel] = []
        if let server = settings.server {
            let channel = AlarmChannel(
                "Sending alarms by mail", perHour: settings.perHour, notices: notices
            ) { [clock] entries, leftOut in
                let text = AlarmText(
                    installation: installation, entries: entries, leftOut: leftOut)
                let now = clock.now
                try await server.send(
                    MailMessage(
                        recipients: settings.recipients, subject: text.subject,
                        body: text.body(at: now), sentAt: now.microseconds / 1_000_000,
                        id: "\(clock.newEventID())"))
            }
            channels.append(channel)
        }
        if let webhook = settings.webhook {
            // The address may be outside, so the environment's proxy is used.
            let client = HTTPClient(.ofWebhook(configuration))
            let channel = AlarmChannel(
                "Sending alarms to the webhook", perHour: settings.perHour, notices: notices
            ) { [clock] entries, leftOut in
                let text = AlarmText(
                    installation: installation, entries: entries, leftOut: leftOut)
                let now = clock.now
                let notice = AlarmNotice(
                    installation: installation, at: now,
                    text: "\(text.subject)\n\n\(text.body(at: now))", entries: entries)
                let answer = try await client.send(
                    "POST", webhook, headers: [("content-type", "application/json")],
                    body: notice.json, timeoutSeconds: 10)
                guard (200..<300).contains(answer.status) else {
                    throw WebhookRefusal(status: answer.status)
                }
            }
            channels.append(channel)
        }
        return channels
    }

    /// The address without its scheme.
    private static func shortened(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[scheme.upperBound...])
    }
}

extension HTTPClient.Configuration {
    fileprivate static func ofWebhook(_ configuration: Configuration) -> Self {
        var own = Self()
        own.certificateFile = configuration.optionalText(CertificateFile.variable)
        own.maximumResponseBytes = 65_536
        return own
    }
}

/// The webhook's server did not accept the alarms. Its address is not shown, since it may hold a
/// secret.
private struct WebhookRefusal: Error, CustomStringConvertible {
    let status: Int
    var description: String { "the server answered \(status)" }
}

extension AlarmJudge.Change {
    fileprivate var entry: AlarmNotice.Entry {
        AlarmNotice.Entry(
            alarm: subject.rule.name, hasEnded: hasEnded, severity: subject.rule.severity.rawValue,
            since: since, meaning: subject.rule.meaning, advice: subject.rule.advice,
            labels: subject.labels)
    }
}
