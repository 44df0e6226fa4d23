import Foundation
import Positioning
import Repository
import SampleSites
import SeededRandomness
import Testing

@Suite struct DocumentedPositionerTests {
    @Test("The positioner of CONTRIBUTING is the one that is tried here, line by line")
    func asPrinted() throws {
        let page = try String(
            contentsOf: repository.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let file = repository.appending(
            path: "Tests/Domain/PositioningTests/StrongestTransmitter.swift")
        // In the module itself it need not be imported.
        let tried = try String(contentsOf: file, encoding: .utf8)
            .replacing("public import Positioning\n", with: "")
        #expect(tried.contains("PreparedStrongestTransmitter"))
        #expect(page.contains("```swift\n\(tried)```"))
    }

    @Test("It answers a place that heard the scan's strongest transmitter best", arguments: 0..<10)
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
            // Several transmitters may be equally loud, and several surveys have heard them so.
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
