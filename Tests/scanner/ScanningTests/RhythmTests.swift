import Events
import Testing

@testable import Scanning

@Suite struct RhythmTests {
    private func readings(_ strengths: [Int], from first: UInt64 = 1) -> [WiFiReading] {
        strengths.enumerated().map { index, rssi in
            WiFiReading(bssid: HardwareAddress(value: first + UInt64(index)), rssi: rssi)
        }
    }

    @Test("At rest it scans a fifth as often, and after a move at once as often as before")
    func rest() {
        var rhythm = ScanRhythm(intervalSeconds: 4, restFactor: 5)
        let still = [-50, -60, -70, -80]
        let pauses = (0..<5).map { _ in rhythm.seconds(after: readings(still)) }
        #expect(pauses == [4, 4, 4, 20, 20])
        #expect(rhythm.seconds(after: readings([-62, -48, -82, -70])) == 4)
        #expect(!rhythm.isAtRest)
    }

    @Test("Other access points are a move, and hearing nothing is no rest")
    func others() {
        var rhythm = ScanRhythm(intervalSeconds: 4, restFactor: 5)
        for round in 0..<6 {
            let heard = readings([-50, -60, -70], from: UInt64(10 * round + 1))
            #expect(rhythm.seconds(after: heard) == 4)
        }
        for _ in 0..<6 { #expect(rhythm.seconds(after: []) == 4) }
    }
}
