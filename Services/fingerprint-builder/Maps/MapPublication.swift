import Events
import Positioning

/// A new version of a site's radio map, with everything that is stored in its transaction.
struct MapPublication: Sendable {
    var announcement: RadioMapAnnounced
    var parts: [MadePart]
    /// The number of surveys at the time of the build, with those that do not count.
    var surveys: Int
    /// The number of decisions, withdrawals and erasures until then.
    var reviews: Int
    /// The result of judging new surveys.
    var judgement = SurveyJudgement()
    /// The addresses that belong to one radio.
    var groups: [[Transmitter]] = []
}

/// The result of judging new surveys. It is stored together with the map that leaves some of them
/// out.
struct SurveyJudgement: Sendable {
    /// Nil where there were no new surveys.
    var judged: SurveysJudged?
    var keptAside: [SurveyKeptAside] = []
}
