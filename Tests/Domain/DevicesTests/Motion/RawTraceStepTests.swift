import Devices
import PublicData
import Testing

/// Nobody counted the steps of these walks; only the distance between the waypoints is known.
@Suite("Steps of real phones")
struct RawTraceStepTests {
    @Test("Each walk has a plausible rate of steps, and steps have a plausible mean length")
    func traces() throws {
        guard let traces = try RawTrace.all() else { return }
        var lengths: [Double] = []
        print("steps of the raw traces: steps, metres, metres a step, steps a second")
        for trace in traces {
            guard let first = trace.waypoints.first, let last = trace.waypoints.last else {
                continue
            }
            var detector = StepDetector()
            let steps = trace.accelerometer.flatMap { sample in
                detector.add(
                    AccelerometerSample(
                        atMicroseconds: sample.atMilliseconds * 1_000, x: sample.x, y: sample.y,
                        z: sample.z))
            }.filter { $0 >= first.atMilliseconds * 1_000 && $0 <= last.atMilliseconds * 1_000 }
            let seconds = Double(last.atMilliseconds - first.atMilliseconds) / 1_000
            let rate = Double(steps.count) / seconds
            lengths.append(trace.lengthMetres / Double(steps.count))
            print(
                "   \(trace.name)", steps.count, rounded(trace.lengthMetres),
                rounded(lengths.last!),
                rounded(rate))
            #expect((1.3...2.5).contains(rate))
        }
        #expect(lengths.count == 14)
        let mean = lengths.reduce(0, +) / Double(lengths.count)
        let variance = lengths.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 13
        print(
            "   length of a step: mean \(rounded(mean)) m, "
                + "deviation \(rounded(variance.squareRoot()))"
        )
        #expect((0.5...0.8).contains(mean))
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
