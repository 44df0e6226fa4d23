import Geometry
import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct AnchorModelTests {
    @Test(
        "An anchor's distance is the mean over its fingerprints that are most like the scan",
        arguments: 0..<8)
    func distances(seed: Int) {
        var random = SeededRandom(seed: seed)
        // Places with this many surveys have several blocks of rows.
        let map = RandomMap.make(&random, surveysOfPlace: seed < 6 ? 1...5 : 30...70)
        let rows = map.fingerprints.indices.map { Int32($0) }.filter { $0 % 7 != 3 }
        let anchors = Anchors(map, of: rows)
        let model = AnchorDistances(SurveyReadings(map, of: rows), anchors)
        let known = Set(rows.flatMap { map.transmitters(of: Int($0)) })
        var scratch = AnchorScratch()
        for _ in 0..<10 {
            let readings = map.numbered(RandomMap.scan(&random))
                .filter { known.contains($0.transmitter) }
            model.touch(readings, scratch: &scratch)
            model.find(readings, lanes: 0..<4, scratch: &scratch)
            let touched = Set(scratch.touchedAnchors)
            #expect(touched.count == scratch.touchedAnchors.count)
            for anchor in 0..<anchors.count {
                let slow = slowDistances(
                    map, rows, anchors.rows(of: anchor).map { anchors.rows[$0] }, readings)
                #expect(touched.contains(Int32(anchor)) == slow.contains { $0 < 1 })
                guard touched.contains(Int32(anchor)) else { continue }
                for (lane, expected) in slow.enumerated() {
                    let found = Double(scratch.anchorDistances[anchor][lane])
                    #expect(abs(found - expected) < 1e-5)
                }
            }
        }
    }

    /// Distances over the dense table, one for each exponent.
    private func slowDistances(
        _ map: RadioMap, _ all: [Int32], _ own: [Int32], _ readings: [NumberedReading]
    ) -> [Double] {
        let weakest = all.flatMap { map.dense(Int($0)).compactMap { $0 } }.min()!
        let minimum = weakest - 1
        return AnchorDistances.exponents.map { exponent in
            func strength(_ rssi: Double?) -> Double {
                pow(max(0, (rssi ?? minimum) - minimum) / -minimum, exponent)
            }
            let distances = own.map { row in
                var (apart, total) = (0.0, 0.0)
                for (transmitter, rssi) in map.dense(Int(row)).enumerated() {
                    let heard = readings.first { $0.transmitter == transmitter }?.rssi
                    let (left, right) = (strength(heard.map { Double($0) }), strength(rssi))
                    apart += abs(left - right)
                    total += left + right
                }
                return apart / total
            }.sorted().prefix(AnchorDistances.nearest)
            return distances.reduce(0, +) / Double(distances.count)
        }
    }

    @Test(
        "An anchor's likelihood counts all readings and all silences at the best offset",
        arguments: 0..<6)
    func likelihoods(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let rows = map.fingerprints.indices.map { Int32($0) }
        let anchors = Anchors(map, of: rows)
        let surveys = SurveyReadings(map, of: rows)
        let distances = AnchorDistances(surveys, anchors)
        let model = AnchorLikelihood(surveys, anchors)
        var scratch = AnchorScratch()
        for _ in 0..<10 {
            let readings = map.numbered(RandomMap.scan(&random))
            distances.touch(readings, scratch: &scratch)
            model.find(readings, scratch: &scratch)
            for anchor in scratch.touchedAnchors {
                let slow = slowLikelihood(map, anchors, Int(anchor), readings)
                let found = Double(scratch.anchorLikelihoods[Int(anchor)])
                #expect(abs(found - slow) < 1e-3 + 1e-4 * abs(slow))
            }
        }
    }

    /// The formulas, applied to every fingerprint of the floor and every transmitter of the map.
    private func slowLikelihood(
        _ map: RadioMap, _ anchors: Anchors, _ anchor: Int, _ readings: [NumberedReading]
    ) -> Double {
        let weak = Double(map.readingRSSI.min()!) + 5
        var rows: [(weight: Double, heard: [Double?])] = []
        for other in 0..<anchors.count where anchors.floors[other] == anchors.floors[anchor] {
            let apart = anchors.points[other].distance(to: anchors.points[anchor])
            let kernel = exp(-apart * apart / (2 * 4 * 4))
            guard kernel >= 0.001 else { continue }
            let own = anchors.rows(of: other)
            for row in own {
                let weight = kernel * min(1, 5 / Double(own.count))
                rows.append((weight, map.dense(Int(anchors.rows[row]))))
            }
        }
        var byOffset = (-5...5).map { -0.01 * Double($0 * 2 * $0 * 2) }
        for transmitter in map.transmitters.indices {
            let surveys = rows.reduce(0) { $0 + $1.weight }
            let heard = rows.compactMap { row in row.heard[transmitter].map { (row.weight, $0) } }
            let count = heard.reduce(0) { $0 + $1.0 }
            let total = heard.reduce(0) { $0 + $1.0 * $1.1 }
            let average = count > 0 ? total / count : 0
            let scatter = heard.reduce(0) { $0 + $1.0 * ($1.1 - average) * ($1.1 - average) }
            let mean = (total + 0.5 * weak) / (count + 0.5)
            let variance = (scatter + 2 * 36) / (count + 2) + 1
            let detection = min(max((count + 0.003) / (surveys + 1), 0.003), 0.997)
            let reading = readings.first { $0.transmitter == transmitter }
            for half in -5...5 {
                guard let reading else {
                    byOffset[half + 5] += log(1 - detection)
                    continue
                }
                let gap = Double(reading.rssi) - Double(half) * 2 - mean
                byOffset[half + 5] +=
                    log(detection) - log(variance / 36) / 2 + max(-10, -gap * gap / (2 * variance))
            }
        }
        return byOffset.max()!
    }

    @Test("Floors and places are elected by the sums over their anchors", arguments: 0..<6)
    func elections(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        var settings = BlendChoice.fallback.settings
        settings.temperature = 0.04
        settings.likelihood = 0.2
        settings.floorNetworks = 1
        let model = AnchorModel(
            map, of: map.fingerprints.indices.map { Int32($0) },
            plan: AnchorModel.Plan(serving: map, settings))
        var scratch = AnchorScratch()
        for _ in 0..<10 {
            let readings = map.numbered(RandomMap.scan(&random))
            guard
                model.compare(
                    readings, correction: .full, lanes: 1..<2, scratch: &scratch) > 0
            else { continue }
            let place = model.place(settings, scratch: &scratch)
            let floor = model.electFloor(settings, scratch: &scratch)
            let networks = scratch.networkLogarithms.reduce(0) { $0 + exp($1) }
            #expect(networks > 0 && networks < 1.001)
            let weights = scratch.touchedAnchors.map { anchor in
                let distance = Double(scratch.anchorDistances[Int(anchor)][1])
                return exp(
                    -distance / 0.04 + 0.2 * Double(scratch.anchorLikelihoods[Int(anchor)]))
            }
            var sums = [0.0, 0.0]
            for (anchor, weight) in zip(scratch.touchedAnchors, weights) {
                sums[Int(model.anchors.floors[Int(anchor)])] += weight
            }
            #expect(sums[Int(place.floor)] == sums.max())
            model.applyElection(scratch: &scratch)
            let total = scratch.candidates.reduce(0) { $0 + $1.weight }
            #expect(abs(total - 1) < 0.01)
            #expect(floor.share > 0.49)
            settings.neighbourShare = 1
            let neighbours = nearest(map, scratch.nearestRows[1].rows, model)
            let blended = model.blend(settings, scratch: &scratch)
            #expect(blended.mean.point.distance(to: neighbours) < 1e-6)
            settings.neighbourShare = 0
        }
    }
}

extension AnchorModelTests {
    /// The weighted mean of the rows on the floor with the most weight.
    private func nearest(
        _ map: RadioMap, _ rows: [(row: Int32, distance: Float)], _ model: AnchorModel
    ) -> Point {
        let all = rows.map { row, distance in
            (map.fingerprints[Int(model.anchors.rows[Int(row)])], 1 / max(Double(distance), 1e-4))
        }
        func total(_ floor: Int32) -> Double {
            all.filter { $0.0.floor == floor }.reduce(0) { $0 + $1.1 }
        }
        let floor: Int32 = total(0) >= total(1) ? 0 : 1
        let own = all.filter { $0.0.floor == floor }
        return Point(
            x: own.reduce(0) { $0 + $1.1 * $1.0.point.x } / total(floor),
            y: own.reduce(0) { $0 + $1.1 * $1.0.point.y } / total(floor))
    }
}

extension RadioMap {
    fileprivate func transmitters(of fingerprint: Int) -> [Int32] {
        readings(of: fingerprint).map { readingTransmitter[$0] }
    }

    /// The readings whose transmitters are in the map.
    fileprivate func numbered(_ scan: RadioScan) -> [NumberedReading] {
        scan.readings.compactMap { reading in
            transmitters.firstIndex(of: reading.transmitter).map {
                NumberedReading(transmitter: Int32($0), rssi: Float(reading.rssi))
            }
        }
    }
}
