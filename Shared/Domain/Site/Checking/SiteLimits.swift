/// The limits of a site's document, so that none fills its readers' memory. The number of records
/// of each kind is limited in `RecordKind.most`.
public enum SiteLimits {
    /// The most bytes of a site's document as JSON.
    public static let documentBytes = 32_000_000
    public static let surveyDiscards = 10_000
    /// The most places of a directory entry, rooms of a zone, and locations and holes of a discard
    /// of surveys.
    public static let placesPerThing = 10_000
    /// The most audio files, pictures and videos of one content, each.
    public static let mediaPerContent = 100
    /// The most UTF-8 bytes in a content's text.
    public static let contentBytes = 20_000
    /// The most bytes in one media file.
    static let mediaBytes = 200_000_000
    static let pairsPerPlan = 100
    public static let holesPerRoom = 100
    /// The lift of the tallest building has fewer stops.
    public static let stopsPerConnection = 300
    /// The most languages in which one thing has names.
    public static let languages = 100
    public static let cornersPerRoom = 2_000
    /// The most corners of all outlines and holes together. A document of the largest accepted size
    /// has fewer.
    public static let corners = 500_000
    /// The most UTF-8 bytes in a name, a kind, a level or a time zone.
    public static let textBytes = 400
    /// Bytes in the secret of a site's link: 22 letters of 64 are 132 bits.
    static let linkSecretBytes = 22...128
    /// The greatest distance from the origin along an axis, in metres. The frame is exact to a
    /// millimetre within 5 km; a site of 100 km has wrong units.
    public static let coordinateMetres = 100_000.0
    /// The greatest latitude, in degrees. At the poles east has no meaning.
    public static let latitudeDegrees = 85.0
    public static let floorOrdinal = -100...300
    static let floorHeightMetres = -1_000.0...1_000
    public static let widthMetres = 0.05...1_000
    /// Rise over run; 1 is 45 degrees.
    public static let slope = -2.0...2
    public static let riseMetres = -1_000.0...1_000
    public static let kerbMetres = 0.0...2
    public static let steps = 0.0...10_000
    /// The most faults that are listed for one document.
    public static let faultsReported = 100
}
