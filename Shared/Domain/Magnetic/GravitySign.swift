import Events

/// Finds gravity of the wrong sign, in walks and in scans.
///
/// A sample's gravity points down. iOS gives it so, while Android's points up. The wrong sign
/// negates the part of the field that points down, and then no place is found again. The Earth's
/// field points down in the north and up in the south. Steel bends it, but hardly along all of a
/// walk. The means of the 14 raw traces of MS site 1 point down by 17 to 42 microtesla.
enum GravitySign {
    /// A mean closer to zero has no clear sign, in microtesla.
    static let leastMicrotesla = 10.0
    /// Closer to the equator the Earth's field may point either way, in degrees. The magnetic
    /// equator stays within them (International Geomagnetic Reference Field).
    static let leastLatitude = 20.0
    /// The metres of a route over which its field is averaged: about those of a scan's samples.
    static let meanMetres = 2.0

    /// The mean part of the field that points down, in microtesla. Nil where it has no clear sign,
    /// and where less than half of the features have gravity.
    static func clearMean(_ features: [FieldFeature]) -> Double? {
        let downs = features.compactMap(\.down)
        guard 2 * downs.count >= features.count, let mean = mean(downs),
            abs(mean) >= leastMicrotesla
        else { return nil }
        return mean
    }

    private static func mean(_ downs: [Double]) -> Double? {
        downs.isEmpty ? nil : downs.reduce(0, +) / Double(downs.count)
    }

    /// Refuses a recording whose field points the other way than the Earth's.
    ///
    /// - Parameter latitude: the site's latitude in degrees, positive in the north.
    static func check(_ profile: MagneticProfile, latitude: Double) throws(MagneticFault) {
        guard abs(latitude) >= leastLatitude, let down = clearMean(profile.features),
            (down > 0) != (latitude > 0)
        else { return }
        throw .gravityAgainstEarth(downMicrotesla: down, latitude: latitude)
    }

    /// Refuses a walk whose field points the other way than that of the recording.
    static func check(
        _ walk: CheckedWalk, against profile: MagneticProfile
    ) throws(MagneticFault) {
        guard let down = clearMean(walk.places.map(\.feature)),
            let recorded = clearMean(profile.features), (down > 0) != (recorded > 0)
        else { return }
        throw .gravityAgainstRecording(downMicrotesla: down, recordedMicrotesla: recorded)
    }

    /// The least and the greatest part of routes' fields that points down, in microtesla, as means
    /// over `meanMetres`. A single cell at a lift's door moves them little. Nil where no route has
    /// any.
    ///
    /// - Parameter routes: the features of each route's cells.
    static func range(_ routes: [[FieldFeature]]) -> ClosedRange<Double>? {
        let most = Int(meanMetres / MagneticProfile.cellMetres)
        var range: ClosedRange<Double>?
        for downs in routes.map({ $0.compactMap(\.down) }) where !downs.isEmpty {
            let window = min(most, downs.count)
            for start in 0...(downs.count - window) {
                let mean = downs[start..<(start + window)].reduce(0, +) / Double(window)
                let before = range ?? mean...mean
                range = min(before.lowerBound, mean)...max(before.upperBound, mean)
            }
        }
        return range
    }

    /// The samples of a scan, with gravity negated if their mean then suits the routes far better.
    ///
    /// - Parameter routes: the `range` of the routes; nil where none has gravity.
    static func suiting(
        _ routes: ClosedRange<Double>?, _ samples: [MagneticSample]
    ) -> [MagneticSample] {
        guard let routes, let mean = mean(samples.compactMap { FieldFeature($0)?.down }) else {
            return samples
        }
        func distance(_ down: Double) -> Double {
            max(0, routes.lowerBound - down, down - routes.upperBound)
        }
        guard distance(mean) - distance(-mean) > 2 * leastMicrotesla else { return samples }
        return samples.map { sample in
            var turned = sample
            turned.gravity = sample.gravity.map { MagneticField(x: -$0.x, y: -$0.y, z: -$0.z) }
            return turned
        }
    }
}
