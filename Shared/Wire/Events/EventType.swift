/// The types of events, by their CloudEvents names with the version.
public enum EventType: String, Hashable, Sendable, CaseIterable {
    case scanRecorded = "whereabouts.scan-recorded.v1"
    case sightingReported = "whereabouts.sighting-reported.v1"
    case surveyRecorded = "whereabouts.survey-recorded.v1"
    case tapRecorded = "whereabouts.tap-recorded.v1"
    case surveysJudged = "whereabouts.surveys-judged.v1"
    case surveyKeptAside = "whereabouts.survey-kept-aside.v1"
    case surveyDecided = "whereabouts.survey-decided.v1"
    case surveysWithdrawn = "whereabouts.surveys-withdrawn.v1"
    case accountChanged = "whereabouts.account-changed.v1"
    case sessionKeyMade = "whereabouts.session-key-made.v1"
    case logIdentified = "whereabouts.log-identified.v1"
    case positionEstimated = "whereabouts.position-estimated.v1"
    case visitStarted = "whereabouts.visit-started.v1"
    case visitEnded = "whereabouts.visit-ended.v1"
    case groupEntered = "whereabouts.group-entered.v1"
    case groupLeft = "whereabouts.group-left.v1"
    case beaconBatteryReported = "whereabouts.beacon-battery-reported.v1"
    case timePassed = "whereabouts.time-passed.v1"
    case sitePublished = "whereabouts.site-published.v1"
    case siteAnnounced = "whereabouts.site-announced.v1"
    case radioMapAnnounced = "whereabouts.radio-map-announced.v1"
    case positionerChosen = "whereabouts.positioner-chosen.v1"
    case positionerSelected = "whereabouts.positioner-selected.v1"
    case nodesCalibrated = "whereabouts.nodes-calibrated.v1"
    case fingerprintBuilt = "whereabouts.fingerprint-built.v1"
    case magneticRouteRecorded = "whereabouts.magnetic-route-recorded.v1"
    case magneticRouteValidated = "whereabouts.magnetic-route-validated.v1"
    case magneticRouteDeleted = "whereabouts.magnetic-route-deleted.v1"
    case outageReported = "whereabouts.outage-reported.v1"
    case outageEnded = "whereabouts.outage-ended.v1"
    case scanRequested = "whereabouts.scan-requested.v1"
    case scanRequestCancelled = "whereabouts.scan-request-cancelled.v1"
    case scanRequestTaken = "whereabouts.scan-request-taken.v1"
    case resultAwaited = "whereabouts.result-awaited.v1"
    case scanRequestDone = "whereabouts.scan-request-done.v1"
    case tokenIssued = "whereabouts.token-issued.v1"
    case deviceErased = "whereabouts.device-erased.v1"
    case roomBooked = "whereabouts.room-booked.v1"
    case bookingMoved = "whereabouts.booking-moved.v1"
    case bookingCancelled = "whereabouts.booking-cancelled.v1"
    case computersCounted = "whereabouts.computers-counted.v1"
    case deadLettered = "whereabouts.dead-lettered.v1"
    case deadLetterPutBack = "whereabouts.dead-letter-put-back.v1"

    public var name: String { rawValue }

    /// - Throws: `type-unknown`, or `version-too-new` for a known type with a later version.
    public init(name: String) throws(WireFault) {
        if let type = EventType(rawValue: name) {
            self = type
            return
        }
        if let dot = name.lastIndex(of: "."), name[dot...].hasPrefix(".v"),
            let version = Int(name[dot...].dropFirst(2)), version > 1,
            EventType(rawValue: name[..<dot] + ".v1") != nil
        {
            throw WireFault(
                .versionTooNew, path: "ce_type", "\(name) is newer than what this program reads")
        }
        throw WireFault(.typeUnknown, path: "ce_type", "no event is called \(name)")
    }
}
