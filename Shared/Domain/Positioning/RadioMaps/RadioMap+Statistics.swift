public import Events
public import Geometry

extension RadioMap {
    /// The mean of the surveys' points, which stands for the place of a lost device. The origin
    /// where there are none.
    public var middle: Point {
        let count = Double(max(1, fingerprints.count))
        return Point(
            x: fingerprints.reduce(0) { $0 + $1.point.x } / count,
            y: fingerprints.reduce(0) { $0 + $1.point.y } / count)
    }

    /// The readings at each place, summed up over its surveys and ordered by floor and place name.
    ///
    /// The point is the mean of the place's surveys, and the room is that of the first. The
    /// deviation, in dB, is the population's, over the surveys that received the transmitter.
    public func placeStatistics(site: SiteID, version: Int) -> [FingerprintBuilt] {
        var members = [[Int]](repeating: [], count: places.count)
        for (index, fingerprint) in fingerprints.enumerated() {
            members[Int(fingerprint.place)].append(index)
        }
        return places.indices.map { place in
            statistics(of: place, members[place], site: site, version: version)
        }
    }

    private func statistics(
        of place: Int, _ members: [Int], site: SiteID, version: Int
    ) -> FingerprintBuilt {
        var sums: [Int32: (count: Int, sum: Double, squares: Double)] = [:]
        var sumX = 0.0
        var sumY = 0.0
        for member in members {
            sumX += fingerprints[member].point.x
            sumY += fingerprints[member].point.y
            for position in readings(of: member) {
                let rssi = Double(readingRSSI[position])
                var entry = sums[readingTransmitter[position]] ?? (0, 0, 0)
                entry.count += 1
                entry.sum += rssi
                entry.squares += rssi * rssi
                sums[readingTransmitter[position]] = entry
            }
        }
        let count = Double(members.count)
        let readings = sums.keys.sorted().map { transmitter in
            let entry = sums[transmitter]!
            let mean = entry.sum / Double(entry.count)
            let variance = max(0, entry.squares / Double(entry.count) - mean * mean)
            return FingerprintBuilt.Statistic(
                accessPoint: transmitters[Int(transmitter)].description, mean: mean,
                deviation: variance.squareRoot(), detection: Double(entry.count) / count)
        }
        let room = members.first.map { fingerprints[$0].room } ?? -1
        return FingerprintBuilt(
            site: site, place: places[place].name, floor: floors[Int(places[place].floor)],
            room: room < 0 ? nil : rooms[Int(room)], x: sumX / count, y: sumY / count,
            surveys: members.count, readings: readings, radioMapVersion: version)
    }
}
