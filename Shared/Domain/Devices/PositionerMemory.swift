public import Positioning

/// What positioners remember of one device from scan to scan.
///
/// A state holds for what it was made with: the positioner as it is configured, the radio map and
/// the site. With any of them changed the device starts afresh.
public struct PositionerMemory: Hashable, Sendable {
    /// One device's state with one positioner; it is stored with every batch of scans.
    public static let maximumStateBytes = 16_384

    public struct Entry: Hashable, Sendable {
        /// A hash of what the state was made with.
        public var basis: UInt64
        public var state: PositionerState

        public init(basis: UInt64, state: PositionerState) {
            self.basis = basis
            self.state = state
        }
    }

    /// By the positioner's name; none is empty.
    public private(set) var entries: [String: Entry]

    public init(entries: [String: Entry] = [:]) { self.entries = entries }

    /// What the positioner returned for the device's previous scan; empty where that was made with
    /// something else.
    public func state(of positioner: String, basis: UInt64) -> PositionerState {
        guard let entry = entries[positioner], entry.basis == basis else { return .empty }
        return entry.state
    }

    /// Replaces the positioner's state; gives false, and forgets it, when it is too large.
    public mutating func keep(
        _ state: PositionerState, of positioner: String, basis: UInt64
    ) -> Bool {
        let fits = state.bytes.count <= Self.maximumStateBytes
        entries[positioner] = fits && state != .empty ? Entry(basis: basis, state: state) : nil
        return fits
    }

    /// Forgets the states of positioners that are not among these.
    public mutating func forgetAll(but positioners: some Collection<String>) {
        guard entries.keys.contains(where: { !positioners.contains($0) }) else { return }
        entries = entries.filter { positioners.contains($0.key) }
    }
}
