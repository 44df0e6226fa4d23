public import Events
public import JSON

extension SurveysJudged: WireEvent {
    public static var eventType: EventType { .surveysJudged }
    public static var eventTopic: Topic { .surveyReviews }

    public var recordKey: [UInt8] { RecordKey.bytes(site) }
    public var eventID: String {
        if let first = surveys.first { return "\(first)/judged" }
        return "\(site.text)/judged/\(surveyOffsets.map(String.init).joined(separator: "."))"
    }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.name("surveyOffsets")
        writer.beginArray()
        for offset in surveyOffsets { writer.integer(offset) }
        writer.endArray()
        if !surveys.isEmpty { writer.array("surveys", surveys.map(\.description)) }
        writer.field("radioMapVersion", radioMapVersion)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            surveyOffsets: try fields.elements("surveyOffsets") { value throws(WireFault) in
                Int64(try value.integer(in: 0...Int.max))
            },
            surveys: try fields.elements("surveys") { value throws(WireFault) in
                try value.eventID()
            },
            radioMapVersion: try fields.optional("radioMapVersion")?.integer(in: 1...Int.max),
            at: try fields.required("at").time())
    }
}

extension SurveyKeptAside: WireEvent {
    public static var eventType: EventType { .surveyKeptAside }
    public static var eventTopic: Topic { .surveyReviews }

    public var recordKey: [UInt8] { RecordKey.joined(site.text, survey.description) }
    public var eventID: String { "\(survey)/kept-aside/\(radioMapVersion)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    /// Writes metres with three decimals.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the members that the event and an answer share.
    func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", site)
        writer.field("survey", survey)
        writer.field("author", author)
        writer.field("doubt", doubt.rawValue)
        writer.field("radioMapVersion", radioMapVersion)
        writer.field("radioMapHash", radioMapHash)
        writer.field("distanceMetres", distanceMetres, decimals: 3)
        writer.field("at", at)
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            survey: try fields.required("survey").eventID(),
            author: try fields.optional("author")?.text(maximumBytes: 128),
            doubt: try fields.required("doubt").choice(),
            // The version is 0 and the hash is empty where there was no map yet.
            radioMapVersion: try fields.required("radioMapVersion").integer(in: 0...Int.max),
            radioMapHash: try fields.required("radioMapHash").text(maximumBytes: 128),
            distanceMetres: try fields.optional("distanceMetres")?.number(),
            at: try fields.required("at").time())
    }
}

extension SurveyDecided: WireEvent {
    public static var eventType: EventType { .surveyDecided }
    public static var eventTopic: Topic { .surveyReviews }

    public var recordKey: [UInt8] { RecordKey.joined(site.text, survey.description) }
    public var eventID: String { "\(survey)/decided/\(at.microseconds)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("survey", survey)
        writer.field("accepted", isAccepted)
        writer.field("by", by)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            survey: try fields.required("survey").eventID(),
            isAccepted: try fields.required("accepted").bool(),
            by: try fields.required("by").text(maximumBytes: 128),
            at: try fields.required("at").time())
    }
}

extension SurveysWithdrawn: WireEvent {
    public static var eventType: EventType { .surveysWithdrawn }
    public static var eventTopic: Topic { .surveyReviews }

    public var recordKey: [UInt8] { RecordKey.bytes(site) }
    public var eventID: String {
        switch which {
        case .survey(let id): "\(id)/withdrawn"
        case .author(let author): "\(site.text)/\(author)/withdrawn/\(at.microseconds)"
        }
    }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        switch which {
        case .survey(let id): writer.field("survey", id)
        case .author(let author): writer.field("author", author)
        }
        writer.field("by", by)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        let which: Which
        if let author = fields.optional("author") {
            which = .author(try author.text(maximumBytes: 128))
        } else {
            which = .survey(try fields.required("survey").eventID())
        }
        self.init(
            site: try fields.required("site").identifier(.siteMalformed), which: which,
            by: try fields.required("by").text(maximumBytes: 128),
            at: try fields.required("at").time())
    }
}
