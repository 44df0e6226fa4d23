import ServiceRuntime
import Testing

@Suite("MetricsRegistry") struct MetricsRegistryTests {
    let registry = MetricsRegistry()

    func lines(_ prefix: String) -> [String] {
        registry.exposition.split(separator: "\n").map(String.init)
            .filter { $0.contains(prefix) }
    }

    @Test("The same name and labels give the same handle")
    func sameHandle() {
        let first = registry.counter("a_total", help: "A.", labels: ["x": "1", "y": "2"])
        let second = registry.counter("a_total", help: "A.", labels: ["y": "2", "x": "1"])
        first.increment(by: 2)
        second.increment()
        #expect(first === second)
        #expect(
            lines("a_total") == [
                "# HELP a_total A.", "# TYPE a_total counter", #"a_total{x="1",y="2"} 3"#,
            ])
    }

    @Test("Memory is counted as it is allocated and freed")
    func allocated() {
        let bytes = 64 << 20
        let before = ProcessMetrics.allocatedBytes
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        let held = ProcessMetrics.allocatedBytes
        block.deallocate()
        // Other tests in this process change its memory too, so half must do.
        #expect(held - before > bytes / 2)
        #expect(held - ProcessMetrics.allocatedBytes > bytes / 2)
        ProcessMetrics.register(in: registry, time: SystemTimeSource())
        #expect(lines("whereabouts_allocated_bytes ").count == 3)
    }

    @Test("Help and label values are escaped as the format asks")
    func escaping() {
        registry.gauge("g", help: "a\\b\n\"c\"", labels: ["l": "a\\b\n\"c\""]).set(1.5)
        #expect(
            lines("g").contains(#"# HELP g a\\b\n"c""#))
        #expect(lines("g{").first == #"g{l="a\\b\n\"c\""} 1.5"#)
    }

    @Test("Histogram buckets are cumulative and include their bounds")
    func histogram() {
        let histogram = registry.histogram("h_seconds", help: "H.", bounds: [0.5, 1])
        for value in [0.25, 0.5, 0.75, 8] { histogram.observe(value) }
        histogram.observe(.milliseconds(500))
        #expect(
            lines("h_seconds").dropFirst(2) == [
                #"h_seconds_bucket{le="0.5"} 3"#, #"h_seconds_bucket{le="1"} 4"#,
                #"h_seconds_bucket{le="+Inf"} 5"#, "h_seconds_sum 10", "h_seconds_count 5",
            ])
    }

    @Test("Concurrent additions are all counted")
    func concurrency() async {
        let counter = registry.counter("n_total", help: "N.")
        let gauge = registry.gauge("n", help: "N.")
        let histogram = registry.histogram("n_seconds", help: "N.")
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 {
                        counter.increment()
                        gauge.add(1)
                        histogram.observe(1)
                    }
                }
            }
        }
        #expect(counter.current == 16_000)
        #expect(gauge.current == 16_000)
        #expect(histogram.sum == 16_000)
        #expect(histogram.bucketCounts.reduce(0, +) == 16_000)
    }

    @Test("A label with unlimited values does not fill the memory")
    func seriesLimit() {
        for index in 0..<MetricsRegistry.seriesLimit + 5 {
            registry.counter("s_total", help: "S.", labels: ["id": "\(index)"]).increment()
        }
        #expect(lines("s_total{").count == MetricsRegistry.seriesLimit)
        #expect(lines("not_shown_total").last == "whereabouts_metrics_series_not_shown_total 5")
    }

    @Test("The process metrics have processor time, memory, descriptors and start time")
    func process() {
        ProcessMetrics.register(in: registry, time: ManualTimeSource(microseconds: 7_000_000))
        #expect(lines("process_start_time_seconds").last == "process_start_time_seconds 7")
        #expect(ProcessMetrics.residentBytes > 1_000_000)
        #expect(ProcessMetrics.openFileDescriptors >= 3)
        #expect(ProcessMetrics.cpuSeconds > 0)
    }
}
