import EventLog
import Events
import Positioning
import ServiceHost
import Wire

/// Reads one device's scans from the log, backwards from a located scan.
struct DeviceScans {
    /// The most records that are read in the search for one scan.
    private static let mostRecords: Int64 = 500_000

    private let log: any EventLog
    private let position: PositionEstimated
    private let key: [UInt8]
    private let source: TopicPartition
    /// The first offset that the log still holds.
    private let start: Int64
    private var next: Int64
    private var readCount: Int64 = 0
    /// The scans so far, each once, in the order of the log. The located scan is the last, where it
    /// was found.
    private(set) var scans: [ScanRecorded] = []

    init(before position: PositionEstimated, in log: any EventLog) async throws {
        let topic = Topic.scans.name
        self.log = log
        self.position = position
        key = RecordKey.bytes(position.site, position.device)
        let number = partition(forKey: key, of: try await log.partitionCount(of: topic))
        source = TopicPartition(topic, number)
        start = try await log.bounds(of: topic)[number].start
        // Clocks of appending processes may differ a little, so the reader starts two seconds
        // later.
        next = try await log.offsets(
            of: topic, atMicroseconds: position.locatedAt.microseconds + 2_000_000)[number]
    }

    /// Whether the located scan was found; it is then the last one.
    var isFound: Bool { scans.last?.id == position.scan }

    /// Whether the log or the limit of records allows no older scan.
    var isExhausted: Bool { next <= start || readCount >= Self.mostRecords }

    /// Reads back to records that were appended this many seconds before the scan was located.
    mutating func readBack(toSeconds seconds: Int64) async throws {
        let time = position.locatedAt.microseconds - seconds * 1_000_000
        let found = try await log.offsets(of: source.topic, atMicroseconds: time)[source.partition]
        let from = max(start, found)
        guard from < next else { return }
        var earlier: [ScanRecorded] = []
        try await log.readRange([source: from..<next]) { [key] records in
            earlier += records.filter { $0.key == key }.compactMap {
                try? ScanRecorded(record: $0)
            }
        }
        readCount += next - from
        next = from
        var seen: Set<EventID> = []
        scans = (earlier + scans).filter { seen.insert($0.id).inserted }
        if let index = scans.firstIndex(where: { $0.id == position.scan }) {
            scans.removeSubrange((index + 1)...)
        }
    }
}
