import Positioning
import Synchronization

/// The parts of radio maps that are in memory, by the hashes of their files.
final class LoadedParts: Sendable {
    private let parts = Mutex<[String: RadioMapPart]>([:])

    subscript(hash: String) -> RadioMapPart? { parts.withLock { $0[hash] } }

    func keep(_ part: RadioMapPart, as hash: String) { parts.withLock { $0[hash] = part } }

    func forget(allBut wanted: Set<String>) {
        parts.withLock { parts in parts = parts.filter { wanted.contains($0.key) } }
    }
}
