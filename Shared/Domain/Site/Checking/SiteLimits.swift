/// The most that a site may hold beside its records, so that no document fills the memory of its
/// readers. The limits of records stand with their kinds (`RecordKind.most`).
public enum SiteLimits {
    public static let surveyDiscards = 10_000
    /// Places of a directory entry, rooms of a zone, locations of discarded surveys and rooms left
    /// out of them.
    public static let placesPerThing = 10_000
    /// Audio, pictures and videos of one content, each.
    public static let mediaPerContent = 100
    /// UTF-8 bytes of the text that a content tells.
    public static let contentBytes = 20_000
    /// Bytes of one file of media.
    static let mediaBytes = 200_000_000
    static let pairsPerPlan = 100
    public static let holesPerRoom = 100
    /// A lift in the tallest building has fewer.
    public static let stopsPerConnection = 300
    /// Languages that a thing has names in.
    public static let languages = 100
    public static let cornersPerRoom = 2_000
    /// Of all outlines and holes together: more than a document of the largest size that is taken
    /// has.
    public static let corners = 500_000
    /// UTF-8 bytes of a name, a kind, a level or a time zone.
    public static let textBytes = 400
    /// Metres from the origin along an axis: the frame is exact to a millimetre out to 5 km, and a
    /// site of 100 km is a mistake of units.
    public static let coordinateMetres = 100_000.0
    /// Degrees: at the poles east has no meaning.
    public static let latitudeDegrees = 85.0
    public static let floorOrdinal = -100...300
    static let floorHeightMetres = -1_000.0...1_000
    public static let widthMetres = 0.05...1_000
    /// Rise over run; 1 is 45 degrees.
    public static let slope = -2.0...2
    public static let kerbMetres = 0.0...2
    public static let steps = 0.0...10_000
    /// Faults listed for one document; the rest is left unsaid.
    public static let faultsReported = 100
}
