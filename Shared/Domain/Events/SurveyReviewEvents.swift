/// New surveys of a site were compared with its radio map (topic `survey-reviews`, key `site`). A
/// survey is not judged again, so that a rebuild gives the same radio map.
public struct SurveysJudged: Hashable, Sendable {
    public var site: SiteID
    /// For each partition of the former topic `surveys`, the offset before which all surveys have
    /// been judged. Empty in newer events.
    public var surveyOffsets: [Int64]
    /// The surveys that were judged. Empty in events of earlier releases.
    public var surveys: [EventID]
    /// The version of the radio map that they were compared with; nil if the site had none.
    public var radioMapVersion: Int?
    public var at: Timestamp

    public init(
        site: SiteID, surveyOffsets: [Int64] = [], surveys: [EventID] = [], radioMapVersion: Int?,
        at: Timestamp
    ) {
        self.site = site
        self.surveyOffsets = surveyOffsets
        self.surveys = surveys
        self.radioMapVersion = radioMapVersion
        self.at = at
    }

    /// The same as events of at most so many surveys, because a record has a limit.
    public func pieces(of limit: Int) -> [SurveysJudged] {
        stride(from: 0, to: max(surveys.count, 1), by: limit).map { start in
            var piece = self
            piece.surveys = Array(surveys[start..<min(start + limit, surveys.count)])
            return piece
        }
    }
}

/// The reason why a survey was set aside for review.
public enum SurveyDoubt: String, Hashable, Sendable, CaseIterable {
    /// The survey's place lies outside its floor.
    case outsideFloor = "outside-floor"
    /// The survey's readings differ from the radio map's at its place.
    case againstMap = "against-map"
}

/// A survey does not count in the radio map until somebody has reviewed it (topic `survey-reviews`,
/// key `site/survey`).
public struct SurveyKeptAside: Hashable, Sendable {
    public var site: SiteID
    public var survey: EventID
    public var author: String?
    public var doubt: SurveyDoubt
    /// The version of the radio map that the survey was compared with.
    public var radioMapVersion: Int
    public var radioMapHash: String
    /// Metres: the survey's distance outside its floor, or its distance from where the radio map
    /// places it.
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

/// Somebody reviewed a survey that was kept aside (topic `survey-reviews`, key `site/survey`). The
/// last decision counts.
public struct SurveyDecided: Hashable, Sendable {
    public var site: SiteID
    public var survey: EventID
    /// Whether the survey counts in the radio map from now on.
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

/// One survey, or all surveys of one author so far, no longer count (topic `survey-reviews`, key
/// `site`).
public struct SurveysWithdrawn: Hashable, Sendable {
    public enum Which: Hashable, Sendable {
        case survey(EventID)
        /// All surveys of this author that arrived before `at`.
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
