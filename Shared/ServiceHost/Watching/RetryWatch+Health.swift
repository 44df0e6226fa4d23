import EventLog
import Retrying
import ServiceRuntime

extension RetryWatch {
    /// A watch whose alarms make the process unready under the name of the work. Each is counted in
    /// the metric `whereabouts_alarms` and logged once.
    convenience init(_ context: ServiceContext) {
        let (health, log, metrics) = (context.health, context.log, context.metrics)
        @Sendable func alarms(_ work: String) -> Gauge { Self.alarms(of: work, in: metrics) }
        self.init(
            onAlarm: { alarm in
                let limit = RetryWatch.patience.components.seconds
                let state =
                    alarm.isFinal
                    ? "has stopped: mend the cause and restart"
                    : "has failed for \(limit) seconds and is tried again"
                health.check(alarm.work).set(
                    .failing(reason: "\(state); read the reason in the log"))
                alarms(alarm.work).set(1)
                let fields = ["work": LogValue.text(alarm.work), "reason": .text(alarm.reason)]
                // The message contains the name of the work. The logger limits equal messages to a
                // few a minute, and a database that is away fails all work at once.
                if alarm.isFinal {
                    log.error(
                        "\(alarm.work) has stopped: mend the cause in the reason, then restart",
                        fields)
                } else {
                    log.warning("\(alarm.work) fails for long", fields)
                }
            },
            onEnd: { work in
                health.check(work).set(.ready)
                alarms(work).set(0)
            })
    }

    /// The gauge of a piece of work. Other work than consumers gets one with its first alarm.
    static func alarms(of work: String, in metrics: MetricsRegistry) -> Gauge {
        metrics.gauge(
            "whereabouts_alarms",
            help: "1 while work has failed for 30 seconds, or has stopped for good.",
            labels: ["work": work])
    }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
}
