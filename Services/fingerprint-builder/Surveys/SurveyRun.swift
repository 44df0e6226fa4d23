import EventLog
import Events
import Wire

/// Records of `survey-records` that can be written together: surveys, or tombstones. A survey and
/// its tombstone are never in one run, because their order counts.
struct SurveyRun {
    private(set) var surveys: [ReadSurvey] = []
    private(set) var removed: [SurveyKey] = []
    private var known: Set<EventID> = []

    /// Adds the record. The result is true, and nothing has changed, when it needs a run of its
    /// own.
    mutating func add(_ record: StoredRecord) throws(WireFault) -> Bool {
        if record.topic == Topic.surveyRecords.name, record.value == nil {
            guard let key = record.key.flatMap(SurveyKey.init(recordKey:)) else {
                throw WireFault(.valueMissing, "the record has neither a value nor a survey's key")
            }
            if !surveys.isEmpty { return true }
            removed.append(key)
            return false
        }
        let survey = try SurveyRecorded(record: record)
        if !removed.isEmpty { return true }
        if known.insert(survey.scan.id).inserted {
            surveys.append(ReadSurvey(survey: survey, record: record))
        }
        return false
    }
}

/// A survey and its record.
struct ReadSurvey {
    var survey: SurveyRecorded
    var record: StoredRecord

    /// Where the topic of earlier releases has it; nil for a survey that came later.
    var former: FormerSurveyOffset? { FormerSurveyOffset(of: record) }
}
