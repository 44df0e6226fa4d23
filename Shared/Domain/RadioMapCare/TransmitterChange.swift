public import Events
public import Geometry
public import Positioning

/// A transmitter that is no longer what older surveys say.
public struct TransmitterChange: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Never heard where it should have been.
        case vanished
        /// Heard where it could not be heard before, and not where it was.
        case moved
        /// Weaker or stronger almost everywhere.
        case strengthChanged = "strength-changed"
    }

    public struct Whereabouts: Hashable, Sendable {
        public var floor: FloorID
        public var point: Point
    }

    public var transmitter: Transmitter
    public var kind: Kind
    /// The first survey of those that show the change.
    public var since: Timestamp
    /// Cells of some metres in which it is missing or much weaker than before.
    public var cellsLost: Int
    /// Cells in which it is new or much stronger than before.
    public var cellsGained: Int
    /// Cells in which it is as strong as before.
    public var cellsAgreeing: Int
    /// About where it was, and where it is: the middle of the cells in which it is strongest.
    public var before: Whereabouts?
    public var after: Whereabouts?

    /// Whether a reading made at this time is of no use any more.
    func outdates(readingAt time: Timestamp) -> Bool { kind == .vanished || time < since }
}

extension SurveyRecorded {
    /// The survey without readings of transmitters that have changed since.
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
