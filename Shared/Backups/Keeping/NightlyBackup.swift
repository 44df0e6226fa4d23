public import Events
public import ServiceHost
import Storage
public import Wire

/// The work of a night: a backup, once a week a lasting one and a check of all, and the removal of
/// old ones. How it ended is in `last-backup.json`.
public struct NightlyBackup: Sendable {
    private let host: Host
    private let files: BackupFiles
    private let making: BackupMaking
    private let restoring: BackupRestoring
    private let note: @Sendable (String) -> Void

    public init(
        _ host: Host, files: BackupFiles, making: BackupMaking, restoring: BackupRestoring,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        self.files = files
        self.making = making
        self.restoring = restoring
        self.note = note
    }

    /// Does the work, and returns the backup's manifest. A failure is noted beside the backups too.
    public func run() async throws -> BackupManifest {
        do {
            let manifest = try await work()
            try await write(LastBackup(finishedAt: host.now, isOK: true, name: manifest.name))
            return manifest
        } catch {
            // The first error is the one to show, even if the place does not take the note either.
            try? await write(
                LastBackup(finishedAt: host.now, isOK: false, name: nil, reason: "\(error)"))
            throw error
        }
    }

    /// When the last night's work ended well; nil where it did not, or was never done.
    public func lastGood() async throws -> Timestamp? {
        guard let bytes = try await files.place.read(LastBackup.file),
            let last = try? LastBackup(json: bytes), last.isOK
        else { return nil }
        return last.finishedAt
    }

    private func write(_ last: LastBackup) async throws {
        try await files.place.write(LastBackup.file, last.json)
    }

    private func work() async throws -> BackupManifest {
        let isWeekOver = try await keeping().isWeekOver(at: host.now)
        let manifest = try await making.make(.init())
        note("\(manifest.name) is made: \(manifest.records) records, \(manifest.bytes) bytes")
        if isWeekOver {
            let lasting = try await making.make(.init(kind: .lasting))
            note("\(lasting.name) is made, to be kept four weeks")
        }
        let present = try await keeping()
        for old in present.surplus(at: host.now) { try await files.remove(old.name) }
        if isWeekOver { try await checkAll() }
        return manifest
    }

    private func keeping() async throws -> BackupKeeping {
        BackupKeeping(try await files.list().compactMap(\.manifest))
    }

    private func checkAll() async throws {
        for backup in try await files.list() {
            if let fault = backup.fault { throw BackupFault(fault) }
            _ = try await restoring.check(backup.name)
            note("\(backup.name) is checked")
        }
    }
}
