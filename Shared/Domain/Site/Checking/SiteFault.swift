/// One error in a site's document.
public struct SiteFault: Error, Hashable, Sendable {
    /// Stable codes of faults, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case malformedIdentifier = "malformed-id"
        case duplicateIdentifier = "duplicate-id"
        case unknownBuilding = "unknown-building"
        case unknownFloor = "unknown-floor"
        case unknownRoom = "unknown-room"
        case roomOnOtherFloor = "room-on-other-floor"
        case duplicateOrdinal = "duplicate-ordinal"
        case ordinalOutOfRange = "ordinal-out-of-range"
        case tooFewCorners = "too-few-corners"
        case tooManyCorners = "too-many-corners"
        case outlineCrossesItself = "outline-crosses-itself"
        case coordinateOutOfRange = "coordinate-out-of-range"
        case originOutOfRange = "origin-out-of-range"
        case textTooLong = "text-too-long"
        case controlCharacter = "control-character"
        case tooMany = "too-many"
        case malformedLanguage = "malformed-language"
        case stopCountOutOfRange = "stop-count-out-of-range"
        case sameFloor = "same-floor"
        case factOutOfRange = "fact-out-of-range"
        case factUnfitting = "fact-unfitting"
        case unknownPlace = "unknown-place"
        case unknownParent = "unknown-parent"
        case emptyZone = "empty-zone"
        case malformedHash = "malformed-hash"
        case malformedMediaType = "malformed-media-type"
        case malformedWebsite = "malformed-website"
        case beaconUnidentified = "beacon-unidentified"
        case planMisaligned = "plan-misaligned"
        case holeOutsideOutline = "hole-outside-outline"
        case borrowingNotAllowed = "borrowing-not-allowed"
        case malformedLinkSecret = "malformed-link-secret"
    }

    public var code: Code
    /// The record and its id, such as `room 6.01`; `site` for the document itself.
    public var subject: String
    public var detail: String

    public init(code: Code, subject: String, detail: String) {
        self.code = code
        self.subject = subject
        self.detail = detail
    }
}

/// All errors of a document: at least one and at most `SiteLimits.faultsReported`.
public struct SiteFaults: Error, Hashable, Sendable {
    public let faults: [SiteFault]

    public init(_ faults: [SiteFault]) { self.faults = faults }
}
