import Archive
import Synchronization

/// The files of the parts of radio maps, by their hashes. A new version of a map has most of its
/// parts in common with the one before, so these are not fetched again.
///
/// They are compressed: the joined map has all that they have, and is in memory, too.
final class LoadedParts: Sendable {
    private let packed = Mutex<[String: [UInt8]]>([:])

    /// The file with this hash; nil if it is not here.
    func file(_ hash: String) throws(ArchiveError) -> [UInt8]? {
        guard let packed = packed.withLock({ $0[hash] }) else { return nil }
        return try Zstandard.unpack(packed, limit: .max)
    }

    func keep(_ file: [UInt8], as hash: String) throws(ArchiveError) {
        let bytes = try Zstandard.compress(file)
        packed.withLock { $0[hash] = bytes }
    }

    func forget(allBut wanted: Set<String>) {
        packed.withLock { packed in packed = packed.filter { wanted.contains($0.key) } }
    }
}
