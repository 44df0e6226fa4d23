import Cryptography
import EventLog
public import Events
public import Storage
import Wire

/// The erasures beside the backups, a small file for each: a backup from before still has the
/// device, and a restore must leave it out.
public struct ErasureFiles: Sendable {
    private static let folder = "erasures/"
    /// Shows that site-editor writes its erasures here, and when it last looked. Nobody else writes
    /// this file.
    private static let begun = "erasures/begun"
    /// How often site-editor writes the time.
    public static let beat = Duration.seconds(3_600)
    /// A longer silence means that it does not write erasures here.
    private static let longestSilenceMicroseconds: Int64 = 3 * 3_600_000_000

    private let place: any StoragePlace

    public init(_ place: any StoragePlace) { self.place = place }

    /// Writes an erasure. It is durable when this returns.
    public func write(_ erased: DeviceErased) async throws(StorageError) {
        let bytes = erased.json
        try await place.write(Self.name(erased, bytes), bytes)
    }

    /// Writes those that are not there yet.
    public func catchUp(_ erased: [DeviceErased]) async throws(StorageError) {
        let known = Set(try await place.list(Self.folder))
        for erased in erased {
            let bytes = erased.json
            let file = StoredFile(name: Self.name(erased, bytes), bytes: bytes.count)
            if !known.contains(file) { try await write(erased) }
        }
    }

    /// Notes that all erasures until this moment are here.
    public func beat(at moment: Timestamp) async throws(StorageError) {
        try await place.write(Self.begun, Array(moment.text.utf8))
    }

    /// Why erasures may be missing here; nil where site-editor writes them.
    public func silence(at now: Timestamp) async throws(StorageError) -> String? {
        Self.silence(try await place.read(Self.begun, most: StoredFile.fewBytes), at: now)
    }

    /// - Parameter begun: the bytes of the file `erasures/begun`.
    public static func silence(_ begun: [UInt8]?, at now: Timestamp) -> String? {
        let advice = "give site-editor the same WHEREABOUTS_BACKUPS as the backups, and start it"
        guard let begun else {
            return "site-editor has never written erasures beside the backups, and no restore "
                + "begins without them: \(advice)"
        }
        let last = Timestamp(text: String(decoding: begun, as: UTF8.self))
        guard let last, now - last <= longestSilenceMicroseconds, !last.isAhead(of: now) else {
            return "site-editor wrote erasures beside the backups last at "
                + "\(last?.text ?? "an unknown time"), and a restore brings erased devices back "
                + "where they are missing: \(advice)"
        }
        return nil
    }

    /// The part of the sum in the name shows a change of the file.
    private static func name(_ erased: DeviceErased, _ bytes: [UInt8]) -> String {
        "\(folder)\(erased.id)-\(sha256Hex(bytes).prefix(16))"
    }

    /// All erasures.
    ///
    /// - Throws: `BackupFault` where site-editor never wrote here, or a file was changed.
    public func all() async throws -> [DeviceErased] {
        let files = try await place.list(Self.folder).map(\.name)
        guard files.contains(Self.begun) else {
            throw BackupFault(
                "\(place.name) has no file \(Self.begun): without the erasures that lie beside the "
                    + "backups, erased devices would come back. Bring the folder erasures here")
        }
        var all: [DeviceErased] = []
        for file in files where file != Self.begun {
            guard let bytes = try await place.backupFile(file, most: StoredFile.fewBytes),
                let erased = try? DeviceErased(json: bytes), Self.name(erased, bytes) == file
            else {
                throw BackupFault("\(file) was changed: it is not the erasure that was written")
            }
            all.append(erased)
        }
        return all.sorted { $0.at < $1.at }
    }
}
