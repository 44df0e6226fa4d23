public import Events
public import Positioning

/// A device whose stored scans are located once more, in the order of the log, as the locator does it:
/// each scan with what the positioner remembers of those before it, which a late or older scan does not
/// change.
public struct LocatedDevice: Sendable {
    /// What became of one scan.
    public struct Answer: Sendable {
        /// What the positioner was told.
        public var scan: RadioScan
        public var estimate: Estimate
        public var isLate: Bool
        /// What was remembered of the device when the scan came, and what it was then.
        public var before: PositionerState
        public var after: PositionerState
    }

    /// What is remembered of the device now.
    public private(set) var state = PositionerState.empty
    /// What the source of evidence remembers of it.
    private var followed = PositionerState.empty
    private var newest: Timestamp?

    public init() {}

    /// - Parameter beside: what tells of places beside the scan's radio.
    public mutating func locate(
        _ scan: ScanRecorded, by positioner: any PreparedPositioner,
        beside: (any EvidenceSource)? = nil, scratch: inout PositionerScratch
    ) -> Answer {
        var radio = RadioScan(scan)
        radio.at = min(radio.at, scan.receivedAt)
        let told = beside?.follow(scan, state: followed)
        radio.evidence = told?.evidence ?? []
        let (estimate, after) = positioner.locate(
            radio, state: state, seed: scan.id.low, scratch: &scratch)
        let isLate = Lateness.isLate(
            at: scan.correctedAt, arrivedAt: scan.receivedAt, newest: newest)
        let before = state
        if !isLate, radio.at >= newest ?? radio.at {
            let fits = after.bytes.count <= PositionerMemory.maximumStateBytes
            state = fits ? after : .empty
            followed = told?.state ?? .empty
        }
        newest = max(newest ?? radio.at, radio.at)
        return Answer(scan: radio, estimate: estimate, isLate: isLate, before: before, after: state)
    }
}
