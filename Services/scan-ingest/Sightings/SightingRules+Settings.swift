import ServiceRuntime
import Sightings

/// The operator's rules for joining sightings to scans.
extension SightingRules {
    init(_ configuration: Configuration) {
        self.init(
            windowMicroseconds: Self.microseconds(configuration.duration(Self.window)),
            graceMicroseconds: Self.microseconds(configuration.duration(Self.grace)))
    }

    static let settings = [window, grace]

    private static let window = Setting(
        "WHEREABOUTS_SIGHTING_WINDOW", .duration(.milliseconds(250) ... .seconds(60)),
        .defaultsTo("2s"), help: "the time within which sightings of a device become one scan")
    private static let grace = Setting(
        "WHEREABOUTS_SIGHTING_GRACE", .duration(.zero ... .seconds(60)), .defaultsTo("1s"),
        help: "how long such a scan waits for sightings that are on their way")

    private static func microseconds(_ duration: Duration) -> Int64 {
        Int64(duration / .microseconds(1))
    }
}
