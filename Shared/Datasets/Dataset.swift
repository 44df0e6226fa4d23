public import Events
public import Site
public import Wire

/// A public data set, or a recording of one's own: a site, surveys, and scans with their true
/// places.
public struct Dataset: Sendable {
    /// A scan to locate, and the true place.
    public struct TestScan: Hashable, Sendable {
        public var scan: ScanRecorded
        public var truth: ScanTruth
        /// The walk that the scan belongs to.
        public var path: String?

        public init(scan: ScanRecorded, truth: ScanTruth, path: String? = nil) {
            self.scan = scan
            self.truth = truth
            self.path = path
        }
    }

    /// Surveys, and the scans that are located with these surveys alone.
    public struct Part: Sendable {
        public var name: String
        public var training: [SurveyRecorded]
        public var tests: [TestScan]
        /// The phones, buildings or floors of the set that the training lacks (`HeldOut`).
        public var leftOut: [String]

        public init(
            name: String, training: [SurveyRecorded], tests: [TestScan], leftOut: [String] = []
        ) {
            self.name = name
            self.training = training
            self.tests = tests
            self.leftOut = leftOut
        }
    }

    public var name: String
    public var site: SiteID
    public var document: SiteDocument
    /// One part, or several where the set is evaluated in parts, such as months.
    public var parts: [Part]
    /// Metres of the site's frame, which lie on the ground, for one metre as the set reports them.
    public var groundPerReportedMetre: Double
    /// The phone of each device that surveyed. Empty where the set does not name phones.
    public var phoneOfDevice: [DeviceID: String]

    public init(
        name: String, site: SiteID, document: SiteDocument, parts: [Part],
        groundPerReportedMetre: Double = 1, phoneOfDevice: [DeviceID: String] = [:]
    ) {
        self.name = name
        self.site = site
        self.document = document
        self.parts = parts
        self.groundPerReportedMetre = groundPerReportedMetre
        self.phoneOfDevice = phoneOfDevice
    }

    public var surveys: [SurveyRecorded] { parts.flatMap(\.training) }
    public var tests: [TestScan] { parts.flatMap(\.tests) }
}
