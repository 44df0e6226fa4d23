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
        let collector = RecordCollector(topic, files, backup)
        let patience = StallPatience()
        let add = { (records: [StoredRecord]) async throws in
            await patience.moved()
            try await collector.add(records.filter { !isLeftOut($0) })
        }
        try await log.readRange(ranges, onStall: { try await patience.check($0) }, add)
        return try await collector.finish()
    }

    private func isLeftOut(_ record: StoredRecord) -> Bool {
        record.isOfThisLog || (!DeviceErased.isIn(record) && erased.covers(record))
    }
}

/// The records of one topic on their way into files.
private actor RecordCollector {
    private let files: BackupFiles
    private let backup: String
    private var content: BackupManifest.TopicContent
    private var piece: [UInt8] = []

    init(_ topic: String, _ files: BackupFiles, _ backup: String) {
        self.files = files
        self.backup = backup
        content = BackupManifest.TopicContent(name: topic, records: 0, files: [])
    }

    func add(_ records: [StoredRecord]) async throws {
        for record in records {
            BackupRecordCodec.append(record, to: &piece)
            content.records += 1
            if piece.count >= PieceName.bytes { try await write() }
        }
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
