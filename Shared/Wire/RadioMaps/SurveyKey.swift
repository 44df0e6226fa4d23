public import EventLog
public import Events

/// The key `site/survey` of a record of `survey-records`.
public struct SurveyKey: Hashable, Sendable {
    public var site: SiteID
    public var survey: EventID

    public init(_ site: SiteID, _ survey: EventID) {
        self.site = site
        self.survey = survey
    }

    /// Reads a record's key; nil for any other key.
    public init?(recordKey: [UInt8]) {
        let parts = recordKey.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            let site = SiteID(validating: String(decoding: parts[0], as: UTF8.self)),
            let survey = EventID(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        self.init(site, survey)
    }

    public var bytes: [UInt8] { RecordKey.joined(site.text, survey.description) }

    /// The record that removes the survey.
    public var tombstone: LogRecord {
        LogRecord(topic: Topic.surveyRecords.name, key: bytes, value: nil)
    }
}

/// A survey's place in the topic `surveys` of earlier releases. Its copy keeps it in a header,
/// because earlier judgements name surveys by their offsets.
public struct FormerSurveyOffset: Hashable, Sendable {
    private static let header: StaticString = "former-offset"

    public var partition: Int
    public var offset: Int64

    /// Nil for a record that is no copy.
    public init?(of record: StoredRecord) {
        guard let text = record.headers[Self.header] else { return nil }
        let parts = text.split(separator: "/")
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]),
            partition >= 0, offset >= 0
        else { return nil }
        (self.partition, self.offset) = (partition, offset)
    }

    /// The copy of a record of the topic `surveys`.
    ///
    /// - Throws: the faults of `SurveyRecorded` for a record that is no survey.
    public static func copy(of record: StoredRecord) throws(WireFault) -> LogRecord {
        let survey = try SurveyRecorded(record: record)
        var headers = record.headers
        headers.append(header, "\(record.partition)/\(record.offset)")
        return LogRecord(
            topic: Topic.surveyRecords.name, key: survey.recordKey, value: record.value,
            headers: headers)
    }
}
