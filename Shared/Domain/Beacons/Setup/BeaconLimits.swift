/// The limits for a document of beacons, and for the memory of received beacons.
public enum BeaconLimits {
    /// The size of a document as JSON, enough for all beacons with long names.
    public static let documentBytes = 16 << 20
    public static let groups = 1_000
    /// The number of beacons in all groups together.
    public static let beacons = 10_000
    /// The beacons of a site's document that are used. States name beacons, groups and UUIDs by
    /// indices of two bytes.
    public static let siteBeacons = 20_000
    /// The length of a name in bytes of UTF-8.
    public static let textBytes = 400
    /// The largest width, height or position in the map's units. No image has as many pixels.
    public static let mapUnits = 1e6
    /// The largest size of the map and distance of its origin, in metres. No site is larger.
    public static let mapMetres = 100_000.0
    public static let pathLossExponent = 1.0...10.0
    public static let powerAtOneMetre = -120.0...20.0
    /// The range of a proximity threshold in decibels.
    public static let attenuationDecibels = -100.0...120.0
    /// The largest number of readings in a sliding window.
    public static let windowReadings = 1_000
    /// The number of beacons that a transformer or decision remembers. The limit exists because a
    /// sender can make up any number of identities.
    public static let rememberedBeacons = 4_096
    /// The number of beacons and groups that a positioner stores for a device, and the readings of
    /// each. With these limits a state never exceeds its largest size.
    public static let storedBeacons = 100
    public static let storedReadings = 10
    /// The number of errors listed for one document; further ones are left out.
    public static let faultsReported = 100
}
