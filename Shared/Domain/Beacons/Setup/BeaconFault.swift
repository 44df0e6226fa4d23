/// One error in a document of beacons.
public struct BeaconFault: Error, Hashable, Sendable {
    /// Codes for programs; they never change.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case malformedIdentifier = "malformed-id"
        case duplicateGroup = "duplicate-group"
        case duplicateBeacon = "duplicate-beacon"
        case majorHoldsBattery = "major-holds-battery"
        case mapOutOfRange = "map-out-of-range"
        case placeOutOfRange = "place-out-of-range"
        case pathLossOutOfRange = "path-loss-out-of-range"
        case proximityOutOfRange = "proximity-out-of-range"
        case ringTooSmall = "ring-too-small"
        case textTooLong = "text-too-long"
        case controlCharacter = "control-character"
        case tooMany = "too-many"
    }

    public var code: Code
    /// The part of the document, such as `groups[2].beacons[0]`, or `document` for all of it.
    public var subject: String
    public var detail: String

    public init(code: Code, subject: String, detail: String) {
        self.code = code
        self.subject = subject
        self.detail = detail
    }
}

/// All errors found in a document: at least one, and at most `BeaconLimits.faultsReported`.
public struct BeaconFaults: Error, Hashable, Sendable {
    public let faults: [BeaconFault]

    public init(_ faults: [BeaconFault]) { self.faults = faults }
}
