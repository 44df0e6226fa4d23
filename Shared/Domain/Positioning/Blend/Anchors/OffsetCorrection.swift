import Glibc

/// How much of the offset that `AnchorLikelihood` sees in a scan is taken for the telephone's own.
///
/// Part of what looks like an offset is the place, and a map of one survey at each place looks weak
/// to every scan. So what the map's own scanner seems to have when its surveys are left out is
/// taken off, and the rest is drawn towards 0 as the mean of a normal posterior: telephones differ
/// by `deviation`, and offsets are seen with the error that is found without another telephone.
struct OffsetCorrection: Hashable, Sendable {
    /// dB; how much telephones differ from each other. Those of the training part of UJIIndoorLoc
    /// have offsets of 2 to 8 dB on each other's maps.
    static let deviation = 4.0
    /// Fewer scans say nothing of how well offsets are seen.
    static let fewestScans = 40

    static let none = OffsetCorrection(usual: 0, trust: 0)
    /// For maps of which the offsets of many scanners were taken out.
    static let full = OffsetCorrection(usual: 0, trust: 1)

    /// dB; the mean that is seen without another telephone.
    var usual: Double
    /// 0 to 1; what is left of an offset beyond that.
    var trust: Double

    /// dB; by how much the telephone is taken to hear stronger than the map.
    func offset(seen: Float) -> Float { Float(trust * (Double(seen) - usual)) }
}

extension OffsetCorrection {
    /// From the scans of a cross-validation, each seen by a map without it.
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
