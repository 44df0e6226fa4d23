import Archive
import Cryptography
import Events
public import Storage
public import Wire

/// The backups in a place: a folder for each, with its files, a manifest, and the manifest's sum.
/// These two are written last, the sum first. So a backup that has neither was never whole, and one
/// that has only one of them has lost the other.
public struct BackupFiles: Sendable {
    static let manifest = "manifest.json"
    /// In the form of `sha256sum`, so that people can check it by hand.
    static let sum = "manifest.sha256"
    /// Marks a backup that is being removed.
    static let removed = "manifest.removed"
    /// The most bytes of a manifest: that of a backup of about 1.5 TB.
    private static let mostOfManifest = 32 << 20
    /// The most bytes that a file may unpack to where it is in memory as a whole: a piece, and one
    /// record.
    static let pieceLimit = 32 << 20
    /// The most bytes where it is read part by part: a piece, and one row of a table.
    private static let rowLimit = 1 << 30

    public let place: any StoragePlace

    public init(_ place: any StoragePlace) { self.place = place }

    /// A backup as its files show it.
    public struct Listed: Sendable {
        public var name: String
        public var bytes: Int
        /// Nil for a backup that is not whole.
        public var manifest: BackupManifest?
        /// The fault of a manifest that can't be used.
        public var fault: String?
    }

    /// All backups, the oldest first.
    public func list() async throws -> [Listed] {
        var found: [Listed] = []
        // Beside the backups lie the erasures of all times.
        for name in try await place.folders().sorted() where Self.isBackup(name) {
            let files = try await filesThatCanBeListed(name)
            if files.isEmpty { continue }
            let bytes = files.reduce(0) { $0 + $1.bytes }
            do {
                found.append(
                    Listed(name: name, bytes: bytes, manifest: try await manifest(of: name)))
            } catch let fault as BackupFault {
                found.append(Listed(name: name, bytes: bytes, fault: fault.description))
            }
        }
        return found
    }

    /// None for a folder that nobody can ever look into. It keeps no other from being listed.
    private func filesThatCanBeListed(_ name: String) async throws -> [StoredFile] {
        do throws(StorageError) { return try await place.list("\(name)/") } catch {
            guard !error.isRetriable else { throw error }
            return []
        }
    }

    /// The name of a backup that is made now, such as `2026-11-24T030000Z`.
    static func name(at moment: Timestamp, _ kind: BackupManifest.Kind) -> String {
        let text = Timestamp(milliseconds: moment.milliseconds / 1_000 * 1_000).text
        let time = text.prefix(19).filter { $0 != ":" } + "Z"
        return kind == .whole ? time : "\(time)-\(kind.rawValue)"
    }

    private static func isBackup(_ name: String) -> Bool {
        name.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z(-lasting)?/) != nil
    }

    private static func requireName(_ name: String) throws(BackupFault) {
        guard isBackup(name) else {
            throw BackupFault("\(name) is no name of a backup; see backup list")
        }
    }

    /// The manifest of a whole backup.
    ///
    /// - Throws: `BackupFault` where it is not whole, or was changed.
    public func manifest(of name: String) async throws -> BackupManifest {
        try Self.requireName(name)
        let path = "\(name)/\(Self.manifest)"
        let sum = try await place.backupFile("\(name)/\(Self.sum)", most: StoredFile.fewBytes)
        guard let sum else {
            throw BackupFault("\(name) is not whole: \(name)/\(Self.sum) is not in \(place.name)")
        }
        guard let bytes = try await place.backupFile(path, most: Self.mostOfManifest) else {
            throw BackupFault("\(path) is missing")
        }
        guard sum == Self.line(of: bytes) else {
            throw BackupFault("\(path) or \(name)/\(Self.sum) was changed: they don't fit")
        }
        let manifest: BackupManifest
        do throws(WireFault) { manifest = try BackupManifest(json: bytes) } catch {
            throw BackupFault("\(path) can't be read: \(error.detail)")
        }
        try Self.check(manifest, in: name)
        return manifest
    }

    /// By these names backups are read, and removed when they are too many. So they must not lead
    /// out of the folder, whoever wrote them.
    private static func check(
        _ manifest: BackupManifest, in folder: String
    ) throws(BackupFault) {
        guard manifest.name == folder else {
            throw BackupFault("\(folder) has the manifest of \(manifest.name)")
        }
        for file in manifest.files
        where file.name.wholeMatch(of: /(tables|topics)\/[^\/.][^\/]*/) == nil {
            throw BackupFault("\(folder): \(file.name) is no file of a backup")
        }
    }

    private static func line(of manifest: [UInt8]) -> [UInt8] {
        Array("\(sha256Hex(manifest))  \(Self.manifest)\n".utf8)
    }

    func write(_ manifest: BackupManifest) async throws {
        let bytes = manifest.json
        guard bytes.count <= Self.mostOfManifest else {
            throw BackupFault("\(manifest.name) has too many files: \(manifest.files.count)")
        }
        try await place.write("\(manifest.name)/\(Self.sum)", Self.line(of: bytes))
        do throws(StorageError) {
            try await place.write("\(manifest.name)/\(Self.manifest)", bytes)
        } catch {
            // The manifest may be there although its write failed. A sum alone would look like a
            // backup that has lost its manifest, so it stays only if the manifest does.
            if (try? await place.delete("\(manifest.name)/\(Self.manifest)")) != nil {
                try? await place.delete("\(manifest.name)/\(Self.sum)")
            }
            throw error
        }
    }

    /// Compresses the bytes and writes them as a file of the backup.
    func write(
        _ bytes: [UInt8], as file: String, of backup: String
    ) async throws -> BackupManifest.File {
        try await write(packed: Zstandard.compress(bytes), as: file, of: backup)
    }

    /// Writes bytes that are compressed already.
    func write(
        packed: [UInt8], as file: String, of backup: String
    ) async throws -> BackupManifest.File {
        try await place.write("\(backup)/\(file)", packed)
        return BackupManifest.File(name: file, bytes: packed.count, sum: sha256Hex(packed))
    }

    /// The unpacked bytes of a file of a topic.
    ///
    /// - Throws: `BackupFault` with the file's name where it is missing or was changed.
    func read(_ file: BackupManifest.File, of backup: String) async throws -> [UInt8] {
        let packed = try await checked(file, of: backup)
        do throws(ArchiveError) {
            return try Zstandard.unpack(packed, limit: Self.pieceLimit)
        } catch {
            throw Self.fault(of: file, of: backup, error)
        }
    }

    /// Reads a file part by part.
    func reader(
        of file: BackupManifest.File, of backup: String
    ) async throws -> ZstandardReader {
        let packed = try await checked(file, of: backup)
        do {
            return try ZstandardReader(packed, limit: Self.rowLimit)
        } catch {
            throw Self.fault(of: file, of: backup, error)
        }
    }

    /// The fault of a file that fits its sum and can't be unpacked.
    static func fault(
        of file: BackupManifest.File, of backup: String, _ error: ArchiveError
    ) -> BackupFault {
        BackupFault("\(backup)/\(file.name) can't be unpacked: \(error.detail)")
    }

    /// The bytes of a file as they lie there, compared with their sum.
    func checked(_ file: BackupManifest.File, of backup: String) async throws -> [UInt8] {
        let path = "\(backup)/\(file.name)"
        guard let packed = try await place.backupFile(path, most: StoredFile.mostBytes) else {
            throw BackupFault("\(path) is missing in \(place.name)")
        }
        guard packed.count == file.bytes, sha256Hex(packed) == file.sum else {
            throw BackupFault("\(path) was changed: it is not what was backed up")
        }
        return packed
    }

    /// Lists the files of a backup that has no manifest yet, and compares their names and sizes.
    ///
    /// - Throws: `BackupFault` where another installation removed or replaced some: it has the same
    ///   place, and takes the backup for an interrupted one of its own.
    func requireUntouched(_ manifest: BackupManifest) async throws {
        let prefix = "\(manifest.name)/"
        let written = Set(
            manifest.files.map { StoredFile(name: prefix + $0.name, bytes: $0.bytes) })
        let found = Set(try await place.list(prefix))
        guard let other = found.symmetricDifference(written).map(\.name).min() else { return }
        throw BackupFault(
            "\(other) in \(place.name) is not as it was written: does another installation have "
                + "the same place? Give each its own folder or prefix")
    }

    /// Whether nothing lies under the name.
    func isFree(_ name: String) async throws -> Bool { try await place.list("\(name)/").isEmpty }

    /// Removes a backup. It is not whole from the first moment on.
    public func remove(_ name: String) async throws {
        try Self.requireName(name)
        // From here on the rest is an unfinished backup, and no damaged one, wherever the removal
        // is interrupted. A full disk may refuse the mark and must still be emptied.
        try? await place.write("\(name)/\(Self.removed)", [])
        try await place.delete("\(name)/\(Self.manifest)")
        try await place.delete("\(name)/\(Self.sum)")
        try await place.deleteFolder(name)
    }

    /// Which of the two files are there that are written last.
    enum Ending { case none, sumAlone, manifest }

    /// How far the backup came; `none` also for one that is being removed. Whether its files can be
    /// read, and whether the manifest has lost its sum, does not matter.
    func ending(of name: String) async throws(StorageError) -> Ending {
        let files = try await place.list("\(name)/manifest.").map(\.name)
        if files.contains("\(name)/\(Self.removed)") { return .none }
        if files.contains("\(name)/\(Self.manifest)") { return .manifest }
        return files.contains("\(name)/\(Self.sum)") ? .sumAlone : .none
    }

    /// Removes what interrupted backups have left, and folders that somebody made beforehand. A
    /// folder that can't be looked into or removed stays, and stops no backup. One with a manifest
    /// or a sum stays, too: it may be a whole backup that has lost the other.
    ///
    /// - Parameter note: gets a line for each.
    func removeUnfinished(note: (String) -> Void) async throws {
        for name in try await place.folders().sorted() where Self.isBackup(name) {
            do throws(StorageError) {
                switch try await ending(of: name) {
                case .manifest: continue
                case .sumAlone:
                    note("\(name) stays as it is: it has lost its \(Self.manifest)")
                case .none:
                    try await place.deleteFolder(name)
                    note("\(name) was interrupted, and is removed")
                }
            } catch {
                guard !error.isRetriable else { throw error }
                note("\(name) stays as it is: \(error)")
            }
        }
    }
}

extension StoragePlace {
    /// The bytes of a file of a backup, or of one beside it; nil where there is none.
    ///
    /// - Throws: `BackupFault` where it can never be read. Such a file is a damaged one, and stops
    ///   no work on others.
    func backupFile(_ file: String, most: Int) async throws -> [UInt8]? {
        do throws(StorageError) { return try await read(file, most: most) } catch {
            guard !error.isRetriable else { throw error }
            throw BackupFault("\(error)")
        }
    }
}
