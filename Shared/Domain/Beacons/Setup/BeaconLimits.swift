/// What a document of beacons may hold, and what may be remembered of those heard.
public enum BeaconLimits {
    /// A document as JSON; room for all beacons with long names.
    public static let documentBytes = 16 << 20
    public static let groups = 1_000
    /// In all groups together.
    public static let beacons = 10_000
    /// UTF-8 bytes of a name.
    public static let textBytes = 400
    /// Width, height and absolute positions, in the map's units: more than any image has pixels.
    public static let mapUnits = 1e6
    /// The map's origin in the site's frame and its size there, metres: as far as a site may reach.
    public static let mapMetres = 100_000.0
    public static let pathLossExponent = 1.0...10.0
    public static let powerAtOneMetre = -120.0...20.0
    /// Decibels of a proximity threshold.
    public static let attenuationDecibels = -100.0...120.0
    /// Readings in a sliding window.
    public static let windowReadings = 1_000
    /// Beacons of which a transformer or a decision remembers anything: any number of identities
    /// can be made up by a sender.
    public static let rememberedBeacons = 4_096
    /// Beacons, and groups, of which a positioner stores anything for a device, and readings of
    /// each: together they stay within what may be stored.
    public static let storedBeacons = 100
    public static let storedReadings = 10
    /// Faults listed for one document; the rest is left unsaid.
    public static let faultsReported = 100
}
