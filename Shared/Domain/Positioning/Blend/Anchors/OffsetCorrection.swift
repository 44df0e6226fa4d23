import Glibc

/// How much of the offset that `AnchorLikelihood` finds in a scan counts as the telephone's own.
///
/// Part of an apparent offset comes from the place, and a map with one survey a place looks weak to
/// every scan. So the mean offset of the map's own scans is subtracted, each compared with a map
/// without it. The rest is drawn towards 0 like the mean of a normal posterior. Its prior is that
/// telephones differ by `deviation`. Its error of measurement is the scatter of the map's own
/// offsets.
struct OffsetCorrection: Hashable, Sendable {
    /// The standard deviation between telephones, in dB. Those of the training part of UJIIndoorLoc
    /// have offsets of 2 to 8 dB on each other's maps.
    static let deviation = 4.0
    /// With fewer scans, the error of apparent offsets cannot be estimated.
    static let fewestScans = 40

    static let none = OffsetCorrection(usual: 0, trust: 0)
    /// For maps from which the offsets of many scanners were removed.
    static let full = OffsetCorrection(usual: 0, trust: 1)

    /// The mean apparent offset of the map's own scans, in dB.
    var usual: Double
    /// The share of the remaining offset that is used, from 0 to 1.
    var trust: Double

    /// The offset in dB by which the telephone's readings are assumed stronger than the map's.
    func offset(seen: Float) -> Float { Float(trust * (Double(seen) - usual)) }
}

extension OffsetCorrection {
    /// Measures the offsets with a cross-validation: each scan is compared with a map without it.
    init(_ map: RadioMap, _ validation: CrossValidation) {
        self = .none
        var plan = AnchorModel.Plan(trying: map)
        guard plan.asksLikelihood else { return }
        plan.trainsNetworks = false
        plan.asksPlaces = false
        var scratch = AnchorScratch()
        var readings: [NumberedReading] = []
        var (count, sum, squares) = (0.0, 0.0, 0.0)
        for fold in validation.folds {
            let tests = fold.tests.filter { $0.kind != .sameSurvey }
            guard !tests.isEmpty else { continue }
            let model = AnchorModel(map, of: fold.training, plan: plan)
            for test in tests {
                map.numberedReadings(of: Int(test.fingerprint), into: &readings)
                guard let seen = model.seenOffset(of: readings, scratch: &scratch) else { continue }
                count += 1
                sum += Double(seen)
                squares += Double(seen) * Double(seen)
            }
        }
        guard count >= Double(Self.fewestScans) else { return }
        usual = sum / count
        let variance = max(0, squares / count - usual * usual)
        trust = Self.deviation * Self.deviation / (Self.deviation * Self.deviation + variance)
    }
}
