import Events
import Positioning

/// When a scan is too late to move the latest position.
enum Lateness {
    public static let limitSeconds: Int64 = 300

    /// Whether the scan is more than five minutes older than the device's newest, or than its own
    /// arrival; `at` is corrected by the sender's skew.
    public static func isLate(at: Timestamp, arrivedAt: Timestamp, newest: Timestamp?) -> Bool {
        let limit = limitSeconds * 1_000_000
        if arrivedAt - at > limit { return true }
        guard let newest else { return false }
        return newest - at > limit
    }
}
