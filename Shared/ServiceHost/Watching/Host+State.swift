import ServiceRuntime

extension Host {
    /// Shows the version and the readiness of the process as metrics.
    func registerState() {
        context.metrics.gauge(
            "whereabouts_build_info", help: "1; the label has the version of the program.",
            labels: ["version": whereaboutsVersion]
        ).set(1)
        context.metrics.gaugeReading(
            "whereabouts_ready", help: "1 while every part of the process can work, else 0."
        ) { [health = context.health] in health.isReady ? 1 : 0 }
        // It exists before the first record, so that Prometheus sees the first one as growth.
        _ = recordsSetAside
    }

    var recordsSetAside: Counter {
        context.metrics.counter(
            "whereabouts_records_set_aside_total", help: "Records that were set aside, of any kind."
        )
    }
}
