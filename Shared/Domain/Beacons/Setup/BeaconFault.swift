/// One thing that is wrong with a document of beacons.
public struct BeaconFault: Error, Hashable, Sendable {
    /// Stable codes, for programs.
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
    /// The part and where it is, such as `groups[2].beacons[0]`; `document` for the whole.
    public var subject: String
    public var detail: String

    public init(code: Code, subject: String, detail: String) {
        self.code = code
        self.subject = subject
        self.detail = detail
    }
}

/// All that was found wrong with a document: at least one fault and at most
/// `BeaconLimits.faultsReported`.
public struct BeaconFaults: Error, Hashable, Sendable {
    public let faults: [BeaconFault]

    public init(_ faults: [BeaconFault]) { self.faults = faults }
}
