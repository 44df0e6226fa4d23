public import Positioning

/// The states that positioners store for one device from scan to scan.
///
/// A state is valid only for its basis: the positioner with its configuration, the radio map and
/// the site. If any of them changes, the device starts again.
public struct PositionerMemory: Hashable, Sendable {
    /// The largest size of one positioner's state for one device. The limit exists because states
    /// are stored with every batch of scans.
    public static let maximumStateBytes = 16_384

    public struct Entry: Hashable, Sendable {
        /// A hash of everything that the state depends on.
        public var basis: UInt64
        public var state: PositionerState

        public init(basis: UInt64, state: PositionerState) {
            self.basis = basis
            self.state = state
        }
    }

    /// By the positioner's name; empty states have no entry.
    public private(set) var entries: [String: Entry]

    public init(entries: [String: Entry] = [:]) { self.entries = entries }

    /// The state that the positioner returned for the device's previous scan. It is empty if that
    /// had another basis.
    public func state(of positioner: String, basis: UInt64) -> PositionerState {
        guard let entry = entries[positioner], entry.basis == basis else { return .empty }
        return entry.state
    }

    /// Replaces the positioner's state. Returns false, and removes the state, when it is too large.
    public mutating func keep(
        _ state: PositionerState, of positioner: String, basis: UInt64
    ) -> Bool {
        let fits = state.bytes.count <= Self.maximumStateBytes
        entries[positioner] = fits && state != .empty ? Entry(basis: basis, state: state) : nil
        return fits
    }

    /// Removes the states of positioners that are not in the list.
    public mutating func forgetAll(but positioners: some Collection<String>) {
        guard entries.keys.contains(where: { !positioners.contains($0) }) else { return }
        entries = entries.filter { positioners.contains($0.key) }
    }
}
