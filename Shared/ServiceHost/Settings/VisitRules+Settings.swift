public import Devices
public import ServiceRuntime

/// The operator's rules for entering and leaving a zone or a building.
extension VisitRules {
    public init(_ configuration: Configuration) {
        func number(_ setting: Setting) -> Double { Double(configuration.text(setting)) ?? 0 }
        self.init(
            enterProbability: number(Self.enter), leaveProbability: number(Self.leave),
            minimumDwell: configuration.duration(Self.dwell),
            exitTolerance: number(Self.toleranceMetres),
            toleranceTimeout: configuration.duration(Self.tolerance),
            exitDelay: configuration.duration(Self.exitDelay),
            silence: configuration.duration(Self.silence),
            groupSilence: configuration.duration(Self.groupSilence))
    }

    static let settings = [
        enter, leave, dwell, toleranceMetres, tolerance, exitDelay, silence, groupSilence,
    ]

    private static let enter = Setting(
        "WHEREABOUTS_VISIT_ENTER", .checked(number(0.501...1)), .defaultsTo("0.6"),
        help: "the probability of a zone from which a device counts as inside")
    private static let leave = Setting(
        "WHEREABOUTS_VISIT_LEAVE", .checked(number(0...0.5)), .defaultsTo("0.3"),
        help: "the probability of a zone below which a device counts as outside")
    private static let dwell = Setting(
        "WHEREABOUTS_VISIT_DWELL", .duration(.zero ... .seconds(3_600)), .defaultsTo("10s"),
        help: "the shortest time in a zone that counts as a visit")
    private static let toleranceMetres = Setting(
        "WHEREABOUTS_VISIT_TOLERANCE_METRES", .checked(number(0...100)), .defaultsTo("1"),
        help: "metres beyond a zone's outline that still count as inside")
    private static let tolerance = Setting(
        "WHEREABOUTS_VISIT_TOLERANCE", .duration(.zero ... .seconds(3_600)),
        .defaultsTo("30s"),
        help: "the most time since the last scan inside for which these metres count")
    private static let exitDelay = Setting(
        "WHEREABOUTS_VISIT_EXIT_DELAY", .duration(.zero ... .seconds(3_600)),
        .defaultsTo("10s"), help: "the time outside after which a visit ends")
    private static let silence = Setting(
        "WHEREABOUTS_VISIT_SILENCE", .duration(.seconds(1) ... .seconds(86_400)),
        .defaultsTo("10m"), help: "the time without a position after which a device's visits end")
    private static let groupSilence = Setting(
        "WHEREABOUTS_GROUP_SILENCE", .duration(.seconds(1) ... .seconds(3_600)),
        .defaultsTo("10s"),
        help: "the time without any beacon of a group after which a device has left the group")

    private static func number(_ range: ClosedRange<Double>) -> Setting.TextForm {
        let form = "a number between \(range.lowerBound) and \(range.upperBound)"
        return Setting.TextForm(form) { text in
            Double(text).map { range.contains($0) } == true ? nil : "must be \(form)"
        }
    }
}
