public import Events
public import Geometry
public import Positioning

/// A transmitter that no longer matches older surveys.
public struct TransmitterChange: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It is missing where it should have been received.
        case vanished
        /// It is received where it was missing before, and missing where it was.
        case moved
        /// It is weaker or stronger almost everywhere.
        case strengthChanged = "strength-changed"
        /// It is received where others were, and it never was. Such a change is never one of
        /// `ChangeDetector.changes`: a map takes new transmitters as they come.
        case appeared
    }

    public struct Whereabouts: Hashable, Sendable {
        public var floor: FloorID
        public var point: Point
    }

    public var transmitter: Transmitter
    public var kind: Kind
    /// The time of the first survey that shows the change.
    public var since: Timestamp
    /// The number of cells in which it is missing or much weaker than before.
    public var cellsLost: Int
    /// The number of cells in which it is new or much stronger than before.
    public var cellsGained: Int
    /// The number of cells in which it is as strong as before.
    public var cellsAgreeing: Int
    /// Its approximate places before and after: the middle of the cells in which it is strongest.
    public var before: Whereabouts?
    public var after: Whereabouts?

    /// Whether readings of the transmitter at this time are outdated.
    func outdates(readingAt time: Timestamp) -> Bool { kind == .vanished || time < since }
}

extension SurveyRecorded {
    /// The survey without readings that these changes make outdated.
    public func without(_ changes: [Transmitter: TransmitterChange]) -> SurveyRecorded {
        guard !changes.isEmpty else { return self }
        let time = scan.correctedAt
        func isUsable(_ transmitter: Transmitter?) -> Bool {
            guard let transmitter, let change = changes[transmitter] else { return true }
            return !change.outdates(readingAt: time)
        }
        var survey = self
        survey.scan.wifi.removeAll { !isUsable(.wifi($0.bssid)) }
        survey.scan.ble.removeAll { !isUsable($0.transmitter) }
        survey.scan.heardBy.removeAll { !isUsable(.node($0.scanner)) }
        return survey
    }
}
