import Positioning
import SampleSites
import SeededRandomness
import Testing

/// The positioner that CONTRIBUTING shows.
@Suite struct DocumentedPositionerTests {
    @Test(
        "The estimate is a place that received the scan's strongest transmitter best",
        arguments: 0..<10)
    func likeTheObvious(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let map = RandomMap.make(&random)
        let prepared = StrongestTransmitter().prepare(map, site: SampleSite.index)
        for _ in 0..<30 {
            let scan = RandomMap.scan(&random)
            let row = map.dense(scan)
            let place = prepared.locate(scan).place
            guard let loudest = row.compactMap({ $0 }).max() else {
                #expect(place == nil)
                continue
            }
            // Several transmitters may be equally strong, and several surveys may have received
            // them equally.
            let points = row.indices.filter { row[$0] == loudest }.flatMap { transmitter in
                let heard = map.fingerprints.indices.map { map.dense($0)[transmitter] }
                let best = heard.compactMap { $0 }.max()
                return heard.indices.filter { heard[$0] == best }
                    .map { map.fingerprints[$0].point }
            }
            #expect(place.map { points.contains($0.point) } == true)
        }
    }
}
