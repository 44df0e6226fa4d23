import Events
import Geometry
import Positioning
import RadioMapCare
import SeededRandomness
import Simulation
import Testing

@Suite("VirtualAccessPoints") struct VirtualAccessPointsTests {
    static let base: UInt64 = 0x0062_ECFD_EC50

    /// Surveys of one radio with several addresses. Each address has an offset in dB, and a share
    /// of surveys that receive it.
    static func map(
        seed: Int, offsets: [(address: UInt64, offset: Int, heardShare: Double)]
    ) -> RadioMap {
        var random = SeededRandom(seed: seed)
        let surveys = SimulatedMap.surveys.prefix(120).map { survey in
            var survey = survey
            let level = Int.random(in: -85 ... -45, using: &random)
            survey.scan.wifi = offsets.compactMap { member in
                guard Double.random(in: 0..<1, using: &random) < member.heardShare else {
                    return nil
                }
                let noise = Int.random(in: -2...2, using: &random)
                return WiFiReading(
                    bssid: HardwareAddress(value: member.address),
                    rssi: level + member.offset + noise)
            }
            return survey
        }
        return SimulatedMap.map(surveys)
    }

    @Test(
        "Addresses of one radio are grouped; those of its other radio and of others are not",
        arguments: 0..<5)
    func groups(seed: Int) {
        let map = Self.map(
            seed: seed,
            offsets: [
                (Self.base, 0, 1), (Self.base + 1, 0, 0.98), (Self.base + 2, 1, 0.98),
                // A locally administered address, otherwise the same.
                (Self.base | 0x0200_0000_0000, 0, 0.98),
                // The radio of the other band, which is much weaker.
                (Self.base + 8, -12, 1),
                // Received together with the radio, but with a different address.
                (Self.base + 0x100, 0, 1),
                // A similar address that is hardly ever received together with the radio.
                (Self.base + 9, 0, 0.3),
            ])
        let expected = [Self.base, Self.base + 1, Self.base + 2, Self.base | 0x0200_0000_0000]
        #expect(
            VirtualAccessPoints.groups(in: map) == [
                expected.map { Transmitter.wifi(HardwareAddress(value: $0)) }
            ])
    }

    @Test("The simulated building, whose radios have one address each, has no groups")
    func none() {
        // Its addresses are consecutive, so that many differ in the last digit only.
        let map = SimulatedMap.map(Array(SimulatedMap.surveys.prefix(1_500)))
        #expect(VirtualAccessPoints.groups(in: map).isEmpty)
    }
}
