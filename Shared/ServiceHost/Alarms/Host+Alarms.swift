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
        let watches = certificateWatch(publicURL: publicURL)
        let channels = channels(settings, installation: Self.shortened(publicURL))
        let collector = MetricCollector(configuration, client: client)
        return watches + [
            Loop("alarms") { [clock, context] in
                // Two rounds, since the other processes may be starting as well.
                let quiet = settings.round.components.seconds * 2_000_000
                var (judge, channels) = (AlarmJudge(quietMicroseconds: quiet), channels)
                while !Task.isCancelled {
                    let samples = await collector.collect()
                    let changes = judge.judge(samples, at: clock.now).map(\.entry)
                    for change in changes { Self.note(change, context.log) }
                    let standing = judge.standing.map(\.entry)
                    for index in channels.indices {
                        channels[index].add(changes)
                        await channels[index].flush(at: clock.now, standing: standing)
                    }
                    try? await Task.sleep(for: settings.round)
                }
            }
        ]
    }

    /// The log has each alarm, also where nobody gets messages.
    private static func note(_ entry: AlarmNotice.Entry, _ log: Logger) {
        let name = "\(entry.alarm)\(AlarmText.place(entry))"
        if entry.hasEnded {
            log.info("The alarm \(name) has ended.")
        } else {
            log.warning("The alarm \(name) has begun: \(entry.meaning) \(entry.advice)")
        }
    }

    private func channels(_ settings: AlarmSettings, installation: String) -> [AlarmChannel] {
        var channels: [AlarmChannel] = []
        func add(
            _ channel: String, _ name: String,
            send: @escaping @Sendable (AlarmText) async throws -> Void
        ) {
            let works = context.metrics.gauge(
                "whereabouts_alarm_channel_works",
                help: "0 while alarms can't be delivered by this channel, else 1.",
                labels: ["channel": channel])
            channels.append(
                AlarmChannel(
                    "Sending alarms \(name)", perHour: settings.perHour, round: settings.round,
                    notices: notices, works: works
                ) { try await send(AlarmText(installation: installation, news: $0)) })
        }
        if let server = settings.server {
            add("mail", "by mail") { [clock] text in
                let now = clock.now
                try await server.send(
                    MailMessage(
                        recipients: settings.recipients, subject: text.subject,
                        body: text.body(at: now), sentAt: now.microseconds / 1_000_000,
                        id: "\(clock.newEventID())"))
            }
        }
        if let webhook = settings.webhook {
            // The address may be outside, so the environment's proxy is used.
            let client = HTTPClient(.ofWebhook(configuration))
            add("webhook", "to the webhook") { [clock] text in
                let now = clock.now
                let notice = AlarmNotice(
                    installation: installation, at: now,
                    text: "\(text.subject)\n\n\(text.body(at: now))",
                    entries: text.news.entries, standing: text.news.standing)
                let answer = try await client.send(
                    "POST", webhook, headers: [("content-type", "application/json")],
                    body: notice.json, timeoutSeconds: 10)
                guard (200..<300).contains(answer.status) else {
                    throw WebhookRefusal(status: answer.status)
                }
            }
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
        // The status says whether the alarms arrived. With a body that is too long, or never ends,
        // they would be sent again and again.
        own.readsBodies = false
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
