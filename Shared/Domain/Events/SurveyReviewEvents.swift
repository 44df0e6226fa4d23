/// New surveys of a site were held against its map (topic `survey-reviews`, key `site`). A survey
/// before these offsets is not judged again, so that a rebuild gives the same map.
public struct SurveysJudged: Hashable, Sendable {
    public var site: SiteID
    /// For each partition of `surveys`, the offset before which all surveys have been judged.
    public var surveyOffsets: [Int64]
    /// The map that they were held against; nil where there was none to compare with.
    public var radioMapVersion: Int?
    public var at: Timestamp

    public init(site: SiteID, surveyOffsets: [Int64], radioMapVersion: Int?, at: Timestamp) {
        self.site = site
        self.surveyOffsets = surveyOffsets
        self.radioMapVersion = radioMapVersion
        self.at = at
    }
}

/// Why a survey was kept aside for review.
public enum SurveyDoubt: String, Hashable, Sendable, CaseIterable {
    /// Its place lies outside of its floor.
    case outsideFloor = "outside-floor"
    /// What it heard differs from what the map says of its place.
    case againstMap = "against-map"
}

/// A survey does not count in the map until somebody has looked at it (topic `survey-reviews`, key
/// `site/survey`).
public struct SurveyKeptAside: Hashable, Sendable {
    public var site: SiteID
    /// The survey's id.
    public var survey: EventID
    public var author: String?
    public var doubt: SurveyDoubt
    /// The map that it was held against, and its hash.
    public var radioMapVersion: Int
    public var radioMapHash: String
    /// Metres: how far outside of the floor it lies, or how far off the map places it.
    public var distanceMetres: Double?
    public var at: Timestamp

    public init(
        site: SiteID, survey: EventID, author: String?, doubt: SurveyDoubt, radioMapVersion: Int,
        radioMapHash: String, distanceMetres: Double?, at: Timestamp
    ) {
        self.site = site
        self.survey = survey
        self.author = author
        self.doubt = doubt
        self.radioMapVersion = radioMapVersion
        self.radioMapHash = radioMapHash
        self.distanceMetres = distanceMetres
        self.at = at
    }
}

/// Somebody looked at a survey that was kept aside (topic `survey-reviews`, key `site/survey`). The
/// last decision counts.
public struct SurveyDecided: Hashable, Sendable {
    public var site: SiteID
    public var survey: EventID
    /// Whether it counts from now on.
    public var isAccepted: Bool
    /// The id of the token or the account that decided.
    public var by: String
    public var at: Timestamp

    public init(site: SiteID, survey: EventID, isAccepted: Bool, by: String, at: Timestamp) {
        self.site = site
        self.survey = survey
        self.isAccepted = isAccepted
        self.by = by
        self.at = at
    }
}

/// One survey, or all that an author has sent until then, count no more (topic `survey-reviews`,
/// key `site`).
public struct SurveysWithdrawn: Hashable, Sendable {
    public enum Which: Hashable, Sendable {
        case survey(EventID)
        /// Those that arrived before `at`.
        case author(String)
    }

    public var site: SiteID
    public var which: Which
    /// The id of the token or the account that withdrew them.
    public var by: String
    public var at: Timestamp

    public init(site: SiteID, which: Which, by: String, at: Timestamp) {
        self.site = site
        self.which = which
        self.by = by
        self.at = at
    }
}
