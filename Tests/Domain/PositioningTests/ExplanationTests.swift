import Events
import Positioning
import SampleSites
import SeededRandomness
import Testing

@Suite struct ExplanationTests {
    @Test("Every reading is listed, with the reason if it was not used")
    func readings() {
        var random = SeededRandom(seed: 1)
        let map = RandomMap.make(&random)
        let prepared = NearestNeighbours().prepare(map, site: SampleSite.index)
        let known = HardwareAddress(value: 1)
        var scan = SampleSite.scan(
            1,
            wifi: [
                WiFiReading(bssid: known, rssi: -70), WiFiReading(bssid: known, rssi: -60),
                WiFiReading(bssid: known, rssi: -50, ageMilliseconds: 10_001),
                WiFiReading(bssid: HardwareAddress(value: 0xFFFF), rssi: -40),
            ])
        scan.ble = [BluetoothReading(rssi: -80)]
        let explanation = Explanation(scan, by: prepared, on: map)
        #expect(
            explanation.readings.map(\.use)
                == [.repeated, .used, .tooOld, .unknownToMap, .unnamed])
        #expect(explanation.readings.map(\.rssi) == [-70, -60, -50, -40, -80])
        #expect(explanation.readings.last?.transmitter == nil)
    }

    @Test("Weights and shares sum to one, and the estimate is the positioner's", arguments: 0..<5)
    func places(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let map = RandomMap.make(&random)
        let scan = SampleSite.scan(
            9_999,
            wifi: (1...8).map {
                WiFiReading(
                    bssid: HardwareAddress(value: $0),
                    rssi: Int.random(in: -95 ... -60, using: &random))
            })
        for positioner in [NearestNeighbours(), GaussianLikelihood()] as [any Positioner] {
            let prepared = positioner.prepare(map, site: SampleSite.index)
            let explanation = Explanation(scan, by: prepared, on: map)
            #expect(explanation.estimate == prepared.locate(RadioScan(scan), seed: scan.id.low))
            #expect(explanation.estimate.state != .lost)
            #expect(explanation.placeCount >= explanation.places.count)
            #expect(explanation.places.count <= Explanation.mostPlaces)
            let weights = explanation.places.map(\.weight)
            #expect(!weights.isEmpty && weights == weights.sorted(by: >))
            if explanation.placeCount == weights.count {
                #expect(abs(weights.reduce(0, +) - 1) < 1e-9)
            }
            let shares = explanation.floors.map(\.share).reduce(0, +)
            #expect(abs(shares - 1) < 1e-9)
            #expect(explanation.floors.first?.floor == explanation.estimate.place?.floor)
        }
    }
}
