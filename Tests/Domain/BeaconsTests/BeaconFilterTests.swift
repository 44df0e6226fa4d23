import Beacons
import Events
import SeededRandomness
import Site
import Testing

@Suite("BeaconFilter") struct BeaconFilterTests {
    @Test("A region's filter admits its own beacons unless they are disabled", arguments: 0..<60)
    func region(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        let document = random.document()
        let filter = RegionFilter(map: try BeaconMap(document))
        for heard in random.heard() + random.heard() {
            let found = slowBeacon(heard.identity, in: document)
            let isDisabled = found.map { !document.isEnabled($0) } ?? false
            let expected = heard.identity.uuid == document.uuid && !isDisabled
            #expect(filter.admits(heard) == expected)
        }
    }

    @Test("A constraint admits listed majors, listed minors, or both", arguments: 0..<60)
    func constraint(seed: Int) {
        var random = RandomBeacons(seed: seed)
        // The numbers are lists to search through; nil is no constraint.
        let majors = seed % 4 < 2 ? nil : [1, 3] as [UInt16]
        let minors = seed % 2 == 0 ? nil : [0, 2, 4] as [UInt16]
        let filter = ConstraintFilter(
            uuid: testRegion, majors: majors.map { Set($0) }, minors: minors.map { Set($0) })
        for heard in random.heard() {
            var expected = heard.identity.uuid == testRegion
            if let majors {
                expected = expected && majors.contains { $0 == heard.identity.major }
            }
            if let minors {
                expected = expected && minors.contains { $0 == heard.identity.minor }
            }
            #expect(filter.admits(heard) == expected)
        }
    }

    @Test("Minors alone are a constraint, and empty lists admit no beacon")
    func minorsAlone() {
        let filter = ConstraintFilter(uuid: testRegion, minors: [7])
        #expect(filter.admits(ranged(1, 7)) && filter.admits(ranged(2, 7)))
        #expect(!filter.admits(ranged(7, 1)))
        #expect(!ConstraintFilter(uuid: testRegion, majors: []).admits(ranged(1, 7)))
    }

    @Test("A limit of distance admits beacons up to and at the limit", arguments: 0..<20)
    func distance(seed: Int) {
        var random = RandomBeacons(seed: seed)
        let filter = DistanceFilter(farthestMetres: 10)
        let heard = random.heard()
        let slow = heard.filter { !($0.distanceMetres > 10) }
        #expect(heard.filter(filter.admits) == slow)
        #expect(filter.admits(ranged(1, 1, metres: 10)))
        #expect(!filter.admits(ranged(1, 1, metres: 10.001)))
    }

    @Test("The steps of a pipeline run in their order")
    func pipeline() {
        let sent = ranged(0x5007, 3)
        let major = BeaconPipeline.Step.filter(ConstraintFilter(uuid: testRegion, majors: [7]))
        let battery = BeaconPipeline.Step.transformer(BatteryInMajor(byte: .high))
        var right = BeaconPipeline([battery, major])
        #expect(right.process([sent]).map(\.batteryPercent) == [80])
        var wrong = BeaconPipeline([major, battery])
        #expect(wrong.process([sent]).isEmpty)
    }

    @Test("A pipeline's transformers keep their memory from one scan to the next")
    func memory() {
        var pipeline = BeaconPipeline([
            .transformer(SlidingWindow()), .filter(DistanceFilter(farthestMetres: 5)),
        ])
        #expect(pipeline.process([ranged(1, 1, metres: 8)]).isEmpty)
        let second = pipeline.process([ranged(1, 1, metres: 1, at: .second(1))])
        #expect(second.map(\.distanceMetres) == [4.5])
    }
}
