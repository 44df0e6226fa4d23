public import EventLog
public import Events
public import JSON
internal import Privacy

extension DeviceKey {
    /// Reads a record's key `site/device`; nil for any other key.
    public init?(recordKey: [UInt8]) {
        let parts = recordKey.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            let site = SiteID(validating: String(decoding: parts[0], as: UTF8.self)),
            let device = DeviceID(validating: String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        self.init(site, device)
    }
}

extension DeviceErased: WireEvent {
    public static var eventType: EventType { .deviceErased }
    public static var eventTopic: Topic { .erasures }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("site", site)
        writer.field("device", device)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            id: try fields.required("id").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            at: try fields.required("at").time())
    }

    /// Whether the record is such an event, in whichever topic.
    public static func isIn(_ record: StoredRecord) -> Bool {
        record.headers["ce_type"] == eventType.name
    }
}

/// The devices that were erased, and until when. Readers of a topic that still holds their records
/// leave these out.
///
/// An erasure covers records that were made or appended until its `at`, and until the log had it. A
/// sender's clock may run ahead, and records may come between the two. The random id of an enrolled
/// device is covered for ever, because nobody gets it again.
public struct ErasedDevices: Sendable {
    /// A log writes an erasure moments after it was asked for. One whose clock is ahead has a time
    /// from which it says nothing, and the device may have come back under its id.
    private static let longestWayMicroseconds: Int64 = 86_400_000_000
    /// The number of devices from which on old ones are searched for.
    private static let few = 1_000

    private var until: [DeviceKey: Timestamp] = [:]
    private var searchedFrom = Self.few

    public init() {}

    public init(_ erased: some Sequence<DeviceErased>) {
        for erased in erased { apply(erased, until: erased.at) }
    }

    private mutating func apply(_ erased: DeviceErased, until end: Timestamp) {
        until[erased.key] = max(until[erased.key] ?? end, end)
    }

    /// Applies a record of the topic `erasures`; false when it can't be read.
    public mutating func apply(_ record: StoredRecord, at now: Timestamp) -> Bool {
        guard let erased = try? DeviceErased(record: record) else { return record.value == nil }
        var end = max(erased.at, Timestamp(microseconds: record.appendedAtMicroseconds))
        // The log's clock was ahead, and not the other one behind.
        if end > now {
            end = min(end, erased.at.advanced(byMicroseconds: Self.longestWayMicroseconds))
        }
        apply(erased, until: end)
        return true
    }

    /// Forgets erasures from before the time. They are searched for when there are twice as many
    /// as after the last search.
    public mutating func forget(before earliest: Timestamp) {
        guard until.count >= searchedFrom else { return }
        until = until.filter { $0.value >= earliest }
        searchedFrom = max(Self.few, 2 * until.count)
    }

    /// Whether the record is of an erased device, from before its erasure. The device is in the
    /// record's key `site/device`, or in the value of a survey and of a dead letter.
    public func covers(_ record: StoredRecord) -> Bool {
        guard !until.isEmpty else { return false }
        switch record.headers["ce_type"] {
        case EventType.surveyRecorded.name:
            guard let scan = try? SurveyRecorded(record: record).scan else { return false }
            // A copy is appended long after the survey itself.
            return covers(
                DeviceKey(scan.site, scan.device), at: min(scan.correctedAt, scan.receivedAt))
        case EventType.deadLettered.name:
            guard let letter = try? DeadLettered(record: record), let device = letter.device else {
                return false
            }
            return covers(device, at: letter.came)
        default: return coversKey(of: record)
        }
    }

    private func coversKey(of record: StoredRecord) -> Bool {
        guard let device = record.key.flatMap(DeviceKey.init(recordKey:)),
            until[device] != nil
        else { return false }
        if covers(device, at: Timestamp(microseconds: record.appendedAtMicroseconds)) {
            return true
        }
        let time: Timestamp?
        switch record.headers["ce_type"] {
        case EventType.scanRecorded.name: time = try? ScanRecorded(record: record).correctedAt
        case EventType.tapRecorded.name: time = try? TapRecorded(record: record).scan.correctedAt
        case EventType.sightingReported.name: time = try? SightingReported(record: record).at
        case EventType.positionEstimated.name: time = try? PositionEstimated(record: record).at
        case EventType.visitStarted.name, EventType.visitEnded.name:
            time = try? KnownVisit(record).entered
        case EventType.groupEntered.name, EventType.groupLeft.name:
            time = try? KnownGroupVisit(record).entered
        default: time = nil
        }
        return time.map { covers(device, at: $0) } ?? false
    }

    /// Whether something of the device from this time was erased.
    public func covers(_ device: DeviceKey, at: Timestamp) -> Bool {
        until[device].map { at <= $0 || EnrolledID.isOne(device.device) } ?? false
    }
}
