import ServiceRuntime
import Testing

@testable import ServiceHost

@Suite struct MetricSampleTests {
    @Test("Every series of a registry's text is read with its labels and its value")
    func read() {
        let registry = MetricsRegistry()
        registry.gauge("a_ratio", help: "Part.", labels: ["path": "/x y", "of": "a\"b\\c\nd,e}"])
            .set(0.25)
        registry.counter("b_total", help: "Count.").increment(by: 7)
        registry.gauge("c", help: "None.").set(.infinity)
        registry.histogram("d_seconds", help: "Time.", bounds: [1]).observe(0.5)
        let samples = MetricSample.samples(in: registry.exposition, adding: ["service": "x"])
        #expect(
            samples.contains(
                MetricSample(
                    "a_ratio", ["path": "/x y", "of": "a\"b\\c\nd,e}", "service": "x"], 0.25)))
        #expect(samples.contains(MetricSample("b_total", ["service": "x"], 7)))
        #expect(samples.contains(MetricSample("c", ["service": "x"], .infinity)))
        #expect(
            samples.contains(
                MetricSample("d_seconds_bucket", ["le": "+Inf", "service": "x"], 1)))
    }

    @Test(
        "A line of another form is left out",
        arguments: [
            "", "x", "x{", "x{a", "x{a=\"b", "x{a=\"b\"", "x{a=\"b\\", "x{=\"b\"} 1", "{} 1",
            "x one", "# HELP x y", "x{a=b} 1",
        ])
    func damaged(line: String) {
        #expect(MetricSample.samples(in: line).isEmpty)
    }
}
