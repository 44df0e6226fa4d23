import EventLog
import Events
import Wire

/// Copies records of topics into files.
struct RecordCopying {
    let log: any EventLog
    let files: BackupFiles
    let backup: String
    /// Records of erased devices are left out.
    let erased: ErasedDevices

    func copy(
        _ topic: String, _ ranges: [TopicPartition: Range<Int64>]
    ) async throws -> BackupManifest.TopicContent {
        let collector = RecordCollector(topic, files, backup, ranges)
        let patience = StallPatience()
        let add = { (records: [StoredRecord]) async throws in
            await patience.moved()
            try await collector.add(records, leavingOut: isLeftOut)
        }
        while true {
            do {
                try await log.readRange(
                    collector.left, onStall: { try await patience.check($0) }, add)
                return try await collector.finish()
            } catch let error as EventLogError where error.code == .offsetOutOfRange {
                // Retention has removed records before they were copied. A restore would leave them
                // out, too.
                let starts = try await log.ranges(of: [topic]).mapValues(\.lowerBound)
                guard await collector.skip(to: starts) else { throw error }
            }
        }
    }

    @Sendable private func isLeftOut(_ record: StoredRecord) -> Bool {
        record.isOfThisLog || (!DeviceErased.isIn(record) && erased.covers(record))
    }
}

/// The records of one topic on their way into files.
private actor RecordCollector {
    private let files: BackupFiles
    private let backup: String
    private var content: BackupManifest.TopicContent
    private var piece: [UInt8] = []
    /// The offsets that are not read yet.
    private(set) var left: [TopicPartition: Range<Int64>]

    init(
        _ topic: String, _ files: BackupFiles, _ backup: String,
        _ ranges: [TopicPartition: Range<Int64>]
    ) {
        left = ranges
        self.files = files
        self.backup = backup
        content = BackupManifest.TopicContent(name: topic, records: 0, files: [])
    }

    func add(
        _ records: [StoredRecord], leavingOut isLeftOut: @Sendable (StoredRecord) -> Bool
    ) async throws {
        for record in records {
            if let range = left[record.topicPartition] {
                left[record.topicPartition] = record.offset + 1..<range.upperBound
            }
            guard !isLeftOut(record) else { continue }
            BackupRecordCodec.append(record, to: &piece)
            content.records += 1
            if piece.count >= PieceName.bytes { try await write() }
        }
    }

    /// Goes on at these offsets where they are further; false where none is.
    func skip(to starts: [TopicPartition: Int64]) -> Bool {
        var isMoved = false
        for (place, range) in left {
            guard let start = starts[place], start > range.lowerBound, !range.isEmpty else {
                continue
            }
            left[place] = min(start, range.upperBound)..<range.upperBound
            isMoved = true
        }
        return isMoved
    }

    func finish() async throws -> BackupManifest.TopicContent {
        if !piece.isEmpty { try await write() }
        return content
    }

    private func write() async throws {
        let file = "topics/\(content.name)-\(PieceName.text(content.files.count + 1))"
        let full = piece
        piece = []
        content.files.append(try await files.write(full, as: file, of: backup))
    }
}

/// Ends the reading of a topic that stands still.
private actor StallPatience {
    /// A transaction on the topic does not end when it takes longer.
    private static let limit = Duration.seconds(120)

    private var stalledAt: ContinuousClock.Instant?

    func moved() { stalledAt = nil }

    func check(_ missing: [TopicPartition: Int64]) throws {
        let since = stalledAt ?? .now
        stalledAt = since
        guard .now - since > Self.limit else { return }
        let places = missing.keys.sorted().map(\.description).joined(separator: ", ")
        throw BackupFault(
            "\(places) can't be read to the end: a transaction there does not end, or no broker "
                + "serves it")
    }
}

extension StoredRecord {
    /// Whether it is the log's id, or a key that checks sessions. A restored log gets an id of its
    /// own, and sessions end with the installation that signed them.
    var isOfThisLog: Bool {
        topic == Topic.tokens.name
            && (key?.starts(with: SessionKeyMade.keyPrefix.utf8) == true
                || key == Array(LogIdentified.key.utf8))
    }
}
