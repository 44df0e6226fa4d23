import Storage
import Synchronization
import Testing

/// A place that refuses to write files whose names contain a text, and knows which were read.
final class RefusingPlace: StoragePlace {
    private struct State {
        var refused: String?
        /// Whether all writes are refused after the first one, as if the process had died.
        var isLast = false
        var isDead = false
        var files: [String] = []
        /// This is done once, before a file is read or written whose name contains the text.
        var meanwhile: (text: String, work: @Sendable () async throws -> Void)?
    }

    private let place: any StoragePlace
    private let state = Mutex(State())

    init(_ place: any StoragePlace) { self.place = place }

    var name: String { place.name }
    /// The files that were read.
    var files: [String] { state.withLock(\.files) }

    func refuses(_ text: String?) { state.withLock { $0 = State(refused: text) } }
    func meanwhile(
        at text: String, isRefused: Bool = false,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        state.withLock { $0 = State(refused: isRefused ? text : nil, meanwhile: (text, work)) }
    }
    func dies(at text: String) { state.withLock { $0 = State(refused: text, isLast: true) } }

    func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await place.list(prefix)
    }
    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        state.withLock { $0.files.append(file) }
        await meanwhile(file)
        return try await place.read(file, most: most)
    }
    private func meanwhile(_ file: String) async {
        let work = state.withLock { state -> (@Sendable () async throws -> Void)? in
            guard let meanwhile = state.meanwhile, file.contains(meanwhile.text) else { return nil }
            state.meanwhile = nil
            return meanwhile.work
        }
        do { try await work?() } catch { Issue.record(error) }
    }
    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        await meanwhile(file)
        let isRefused = state.withLock { state in
            let isRefused = state.isDead || state.refused.map { file.contains($0) } ?? false
            state.isDead = state.isLast && isRefused
            return isRefused
        }
        guard !isRefused else { throw StorageError(file, "no room") }
        try await place.write(file, bytes)
    }
    func delete(_ file: String) async throws(StorageError) { try await place.delete(file) }
}
