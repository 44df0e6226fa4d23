import Devices
import ServiceHost
import ServiceRuntime

extension VisitRules {
    init(_ host: Host) {
        let settings = host.configuration
        func number(_ name: String) -> Double { Double(settings.text(name)) ?? 0 }
        self.init(
            enterProbability: number("WHEREABOUTS_VISIT_ENTER"),
            leaveProbability: number("WHEREABOUTS_VISIT_LEAVE"),
            minimumDwell: settings.duration("WHEREABOUTS_VISIT_DWELL"),
            exitTolerance: number("WHEREABOUTS_VISIT_TOLERANCE_METRES"),
            toleranceTimeout: settings.duration("WHEREABOUTS_VISIT_TOLERANCE"),
            exitDelay: settings.duration("WHEREABOUTS_VISIT_EXIT_DELAY"),
            silence: settings.duration("WHEREABOUTS_VISIT_SILENCE"))
    }
}
