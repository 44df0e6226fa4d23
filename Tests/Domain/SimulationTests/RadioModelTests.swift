import Events
import Glibc
import Testing

@testable import Simulation

@Suite("RadioModel") struct RadioModelTests {
    static func point(x: Double, y: Double, storey: Int = 0) -> AccessPoint {
        AccessPoint(
            bssid: HardwareAddress(value: 1), frequency: 5_180, x: x, y: y,
            z: Double(storey) * 4 + RadioModel.deviceHeightMetres, storey: storey)
    }
    static func place(x: Double, y: Double, storey: Int = 0, heading: Double = 0) -> PlacedDevice {
        PlacedDevice(
            x: x, y: y, z: Double(storey) * 4 + RadioModel.deviceHeightMetres, heading: heading)
    }
    func level(_ point: AccessPoint, _ place: PlacedDevice) -> Double {
        RadioModel.meanLevel(from: point, to: place, in: FloorPlan.house) ?? .nan
    }

    @Test("Without walls a tenfold distance costs 20 dB, and below a metre the level stays")
    func open() {
        let corridor = Self.point(x: 1, y: 11)
        #expect(abs(level(corridor, Self.place(x: 2, y: 11)) + 38) < 1e-9)
        #expect(abs(level(corridor, Self.place(x: 11, y: 11)) + 58) < 1e-9)
        #expect(level(corridor, Self.place(x: 1.1, y: 11)) == -38)
    }

    @Test("A thin wall costs 5 dB, a thick one 10 dB, a floor 18 dB")
    func obstacles() {
        let lab = Self.point(x: 4, y: 5)
        let distance = { (metres: Double) in -38 - 20 * log10(metres) }
        #expect(abs(level(lab, Self.place(x: 12, y: 5)) - (distance(8) - 5)) < 1e-9)
        #expect(abs(level(lab, Self.place(x: 20, y: 5)) - (distance(16) - 10)) < 1e-9)
        #expect(abs(level(lab, Self.place(x: 4, y: -2)) - (distance(7) - 10)) < 1e-9)
        #expect(abs(level(lab, Self.place(x: 4, y: 5, storey: 1)) - (distance(4) - 18)) < 1e-9)
        #expect(abs(level(lab, Self.place(x: 4, y: 5, storey: 2)) - (distance(8) - 36)) < 1e-9)
    }

    @Test("Where the link opens into a corridor there is no wall")
    func opening() {
        let link = Self.point(x: 25.5, y: 20)
        #expect(
            abs(level(link, Self.place(x: 25.5, y: 11)) - (-38 - 20 * log10(9.0))) < 1e-9)
    }

    @Test("The body costs nothing from the front, 5 dB from behind and half from the side")
    func body() {
        let north = Self.point(x: 0, y: 10)
        func loss(_ degrees: Double) -> Double {
            RadioModel.bodyLoss(
                from: north, to: Self.place(x: 0, y: 0, heading: degrees * .pi / 180))
        }
        #expect(abs(loss(0)) < 1e-9)
        #expect(abs(loss(180) - 5) < 1e-9)
        #expect(abs(loss(90) - 2.5) < 1e-9)
        #expect(abs(loss(270) - 2.5) < 1e-9)
    }

    @Test(
        "Shadowing has the stated deviation, and its correlation falls by e in 3 m in any direction"
    )
    func shadowing() {
        let fields = (0..<200).map { index in
            var random = SimulationRandom(seed: UInt64(index))
            return ShadowField(random: &random)
        }
        let places: [(Double, Double)] = (0..<25).map { index in
            (Double(index % 5) * 9, Double(index / 5) * 11)
        }
        func values(movedBy deltaX: Double, _ deltaY: Double) -> [Double] {
            fields.flatMap { field in
                places.map { field.value(x: $0.0 + deltaX, y: $0.1 + deltaY) }
            }
        }
        let here = values(movedBy: 0, 0)
        #expect(abs(Moments(here).mean) < 0.05)
        #expect(abs(Moments(here).deviation - 1) < 0.03)
        // A Gaussian distribution has 4.6 % beyond two deviations.
        let beyond = Double(here.count { abs($0) > 2 }) / Double(here.count)
        #expect(abs(beyond - 0.0455) < 0.012)
        for degrees in [0.0, 45, 90, 160] {
            for distance in [0.5, 1.5, 3, 6, 12] {
                let angle = degrees * Double.pi / 180
                let there = values(movedBy: distance * cos(angle), distance * sin(angle))
                let product = zip(here, there).reduce(0.0) { $0 + $1.0 * $1.1 }
                let correlation = product / Double(here.count)
                #expect(
                    abs(correlation - exp(-distance / 3)) < 0.06,
                    "\(degrees) degrees, \(distance) m")
            }
        }
    }

    @Test(
        "Noise has the stated deviation, and its correlation falls by e in 5 s, whatever the steps")
    func noise() {
        var random = SimulationRandom(seed: 5)
        for step in [0.5, 4, 5, 20] {
            var noise = FadingNoise(sigma: 4, atSeconds: 0, random: &random)
            let values = (1...40_000).map {
                noise.value(sigma: 4, atSeconds: Double($0) * step, random: &random)
            }
            let moments = Moments(values)
            #expect(abs(moments.deviation - 4) < 0.25, "\(step) s")
            let product = zip(values, values.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
            let correlation = product / Double(values.count - 1) / 16
            #expect(abs(correlation - exp(-step / 5)) < 0.1, "\(step) s")
        }
    }

    @Test("A skipped access point could only be received with noise of 4.5 deviations")
    func hopeless() {
        let margin = -92 - RadioModel.hopelessLevel(noiseSigma: 4)
        #expect(abs(margin - (5 + 4.5 * 32.0.squareRoot())) < 1e-9)
        let far = Self.place(x: 47, y: 54, storey: 2)
        let point = Self.point(x: 1, y: 1)
        let level = RadioModel.meanLevel(
            from: point, to: far, in: FloorPlan.house,
            hopeless: RadioModel.hopelessLevel(noiseSigma: 4))
        #expect(level == nil)
    }
}
