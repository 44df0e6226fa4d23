import Testing

@testable import Simulation

@Suite("SimulationRandom") struct SimulationRandomTests {
    @Test("The numbers equal those that the authors publish for xoshiro256**")
    func reference() {
        var random = SimulationRandom(state: (1, 2, 3, 4))
        #expect(
            (0..<5).map { _ in random.next() } == [
                11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240,
                1_216_172_134_540_287_360,
            ])
    }

    @Test(
        "Uniform, index and Gaussian numbers have the right mean and deviation",
        arguments: 0..<5 as Range<UInt64>)
    func moments(seed: UInt64) {
        var random = SimulationRandom(seed: seed)
        let count = 40_000
        let uniforms = (0..<count).map { _ in random.uniform(2, 4) }
        #expect(uniforms.allSatisfy { (2..<4).contains($0) })
        #expect(abs(Moments(uniforms).mean - 3) < 0.02)
        let gaussians = Moments((0..<count).map { _ in random.gaussian() })
        #expect(abs(gaussians.mean) < 0.03)
        #expect(abs(gaussians.deviation - 1) < 0.03)
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<count { counts[random.index(below: 7)] += 1 }
        #expect(counts.allSatisfy { abs($0 - count / 7) < 400 })
    }
}

/// Mean and standard deviation.
struct Moments {
    let mean: Double
    let deviation: Double

    init(_ values: [Double]) {
        let mean = values.reduce(0, +) / Double(values.count)
        self.mean = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = (squares / Double(values.count)).squareRoot()
    }
}
