import Events
import HTTP
import MQTT
import Retrying
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// Hears the nodes of a site at an MQTT broker. A message is acknowledged when the log has what it
/// says.
struct NodeMessages: Sendable {
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    let settings: MQTTSettings
    let sink: any SightingSink
    let clock: EventClock
    let notices: Notices
    private let subscriber: MQTTSubscriber
    private let heard: Counter
    private let unreadable: Counter
    private let unidentified: Counter
    private let retained: Counter
    private let tooLarge: Counter
    private let refused: Counter
    private let dropped: Counter
    private let connected: Gauge
    /// A sentence about bad messages, once an hour for each reason.
    private let reports = Occasional<String>(1, per: .seconds(3_600))

    init(
        settings: MQTTSettings, sink: any SightingSink, clock: EventClock, notices: Notices,
        metrics: MetricsRegistry
    ) {
        self.settings = settings
        self.sink = sink
        self.clock = clock
        self.notices = notices
        subscriber = MQTTSubscriber(settings.configuration)
        let messages = { (outcome: String) in
            metrics.counter(
                "whereabouts_mqtt_messages_total", help: "Messages of the MQTT broker.",
                labels: ["outcome": outcome])
        }
        heard = messages("heard")
        unreadable = messages("unreadable")
        unidentified = messages("no-single-device")
        retained = messages("retained")
        tooLarge = messages("too-large")
        refused = messages("refused")
        dropped = messages("dropped")
        connected = metrics.gauge(
            "whereabouts_mqtt_connected", help: "1 while the MQTT broker has a subscription.")
    }

    /// Hears until the task is cancelled. The pause between attempts doubles, up to a minute, and
    /// is shortened at random.
    func run() async {
        let retry = SharedRetry(
            Retry(
                of: "Hearing \(settings.configuration.address)", notices: notices,
                isWatched: true))
        defer { retry.state.withLock { $0.forgotten() } }
        var pause = GrowingPause(from: Self.firstPause, to: Self.longestPause)
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do {
                try await subscriber.run(
                    onReady: { [connected] in
                        connected.set(1)
                        retry.state.withLock { $0.ended() }
                    }, deliver: deliver)
            } catch {
                if !Task.isCancelled { retry.state.withLock { _ = $0.failed(error) } }
            }
            connected.set(0)
            guard !Task.isCancelled else { return }
            // Two clients of one name would end each other's connections again and again.
            if ContinuousClock.now - began > Self.longestPause { pause.reset() }
            try? await Task.sleep(for: pause.nextWithJitter())
        }
    }

    /// Makes a batch safe. Messages that can't be used, or are refused for good, are counted and
    /// acknowledged with the others: they would come again for ever.
    ///
    /// - Throws: a problem that may pass, such as a site that is not published. The connection then
    ///   ends, and the messages come again.
    func deliver(_ batch: MQTTBatch) async throws {
        if batch.oversized > 0 { tooLarge.increment(by: batch.oversized) }
        if batch.dropped > 0 { dropped.increment(by: batch.dropped) }
        let devices = batch.messages.compactMap(device)
        guard !devices.isEmpty else { return }
        let refusals = try await accepted(devices)
        heard.increment(by: devices.count - refusals.count)
        if !refusals.isEmpty { refused.increment(by: refusals.count) }
        for problem in refusals {
            report(problem.code, "A sighting of the MQTT broker is refused: \(problem.detail)")
        }
    }

    /// Waits while the site's quota is used up. The broker keeps its messages meanwhile.
    private func accepted(_ devices: [HeardDevice]) async throws -> [Problem] {
        while true {
            do throws(Problem) {
                return try await sink.accept(devices, of: settings.site)
            } catch {
                // `run` tells of a log or a service that is away.
                if error.status != 503 {
                    report(error.code, "Sightings of the MQTT broker wait: \(error.detail)")
                }
                guard error.code == ProblemCode.quotaExceeded.text else { throw error }
                try await Task.sleep(for: .seconds(error.retryAfterSeconds ?? 1))
            }
        }
    }

    /// The device that a message tells of; nil where it can't be used.
    private func device(_ message: MQTTMessage) -> HeardDevice? {
        // It may be of any age, and has no time.
        guard !message.isRetained else {
            retained.increment()
            return nil
        }
        do throws(WireFault) {
            let device = try ESPresenseMessage.heard(
                topic: message.topic, payload: message.payload, receivedAt: clock.now)
            if device == nil { unidentified.increment() }
            return device
        } catch {
            unreadable.increment()
            report(
                error.code.text, "A message of the MQTT broker can't be read: \(error.reason)")
            return nil
        }
    }

    private func report(_ key: String, _ sentence: String) {
        guard case .admit(let leftOut) = reports.decide(key) else { return }
        notices.onUnexpected(leftOut > 0 ? "\(sentence) (\(leftOut) more)" : sentence)
    }
}

/// The state of the attempts, which the connection's thread ends.
private final class SharedRetry: Sendable {
    let state: Mutex<Retry>
    init(_ retry: Retry) { state = Mutex(retry) }
}
