import Events
import Positioning

/// The rule for scans that are too late to change the latest position.
enum Lateness {
    public static let limitSeconds: Int64 = 300

    /// Whether the scan is more than five minutes older than the device's newest, or than its own
    /// arrival. `at` must be corrected by the sender's clock skew.
    public static func isLate(at: Timestamp, arrivedAt: Timestamp, newest: Timestamp?) -> Bool {
        let limit = limitSeconds * 1_000_000
        if arrivedAt - at > limit { return true }
        guard let newest else { return false }
        return newest - at > limit
    }
}
