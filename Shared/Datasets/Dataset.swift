public import Events
public import Site
public import Wire

/// A public data set, or one's own recordings, as a site, surveys and scans with ground truth.
public struct Dataset: Sendable {
    /// A scan to be located, and its answer.
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

    /// Surveys, and the scans that are located with them and nothing else.
    public struct Part: Sendable {
        public var name: String
        public var training: [SurveyRecorded]
        public var tests: [TestScan]

        public init(name: String, training: [SurveyRecorded], tests: [TestScan]) {
            self.name = name
            self.training = training
            self.tests = tests
        }
    }

    public var name: String
    public var site: SiteID
    public var document: SiteDocument
    /// One, or several where the set is evaluated piece by piece (months).
    public var parts: [Part]
    /// Metres on the ground, which the site's frame has, for one that the set reports.
    public var groundPerReportedMetre: Double

    public init(
        name: String, site: SiteID, document: SiteDocument, parts: [Part],
        groundPerReportedMetre: Double = 1
    ) {
        self.name = name
        self.site = site
        self.document = document
        self.parts = parts
        self.groundPerReportedMetre = groundPerReportedMetre
    }

    /// The surveys of all parts.
    public var surveys: [SurveyRecorded] { parts.flatMap(\.training) }
    /// The test scans of all parts.
    public var tests: [TestScan] { parts.flatMap(\.tests) }
}
