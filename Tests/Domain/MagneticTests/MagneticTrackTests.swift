import Magnetic
import Testing

@Suite("Magnetic routes in a track") struct MagneticTrackTests {
    @Test("Along corridors Wi-Fi with the magnetic field is better than Wi-Fi alone")
    func better() throws {
        let bench = try MagneticTrackBench(seed: 51)
        #expect(bench.routes.count > 1)
        let errors = bench.errors(walks: 1)
        let (alone, both) = (
            MagneticTrackBench.Errors.mean(errors.radioOnly),
            MagneticTrackBench.Errors.mean(errors.withField)
        )
        print("scans in corridors:", errors.radioOnly.count, "Wi-Fi", alone, "with field", both)
        #expect(errors.radioOnly.count > 40)
        #expect(both < 0.6 * alone)
    }

    @Test("A magnetic field that matches no route does little harm")
    func harmless() throws {
        let bench = try MagneticTrackBench(seed: 52)
        let errors = bench.errors(
            walks: 1, hasSteps: false, through: SimulatedField(seed: 99, width: 55, depth: 55))
        let (alone, both) = (
            MagneticTrackBench.Errors.mean(errors.radioOnly),
            MagneticTrackBench.Errors.mean(errors.withField)
        )
        print("scans in corridors:", errors.radioOnly.count, "Wi-Fi", alone, "wrong field", both)
        #expect(both < 1.5 * alone)
    }
}
