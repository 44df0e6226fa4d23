public import HTTP
import Threads

/// A file, as it was made.
public struct MadeFile: Sendable {
    public var bytes: [UInt8]
    /// Whether others will ask for the same file, so that it is kept.
    public var lasts: Bool

    public init(_ bytes: [UInt8], lasts: Bool = true) {
        self.bytes = bytes
        self.lasts = lasts
    }
}

/// Files that take long to make. Each is made once and kept while there is room; the oldest goes
/// first.
public actor MadeFiles<Key: Hashable & Sendable> {
    private let mostFiles: Int
    private let mostBytes: Int
    /// A thread of its own: making would hold up the pool that answers requests.
    private let work: LongWork
    private var making: [Key: Task<Result<MadeFile, Problem>?, Never>] = [:]
    private var kept: [Key: [UInt8]] = [:]
    /// The kept files, the oldest first.
    private var order: [Key] = []
    private var bytes = 0

    /// - Parameters:
    ///   - name: the name of the thread.
    ///   - mostFiles: the most files that are kept.
    ///   - mostBytes: the most bytes of all files that are kept.
    public init(_ name: String, mostFiles: Int, mostBytes: Int) {
        self.mostFiles = mostFiles
        self.mostBytes = mostBytes
        work = LongWork(name)
    }

    /// The file, if it is kept.
    public subscript(key: Key) -> [UInt8]? { kept[key] }

    /// The kept file, or else that which `make` makes. Requests that come while it is being made
    /// wait for the same work.
    /// - Parameter key: all values that make one file differ from another.
    /// - Throws: the problem of `make`, which is not kept, and `starting` if the service ends.
    public func file(
        _ key: Key, _ make: @escaping @Sendable () -> Result<MadeFile, Problem>
    ) async throws -> [UInt8] {
        if let file = kept[key] { return file }
        let task: Task<Result<MadeFile, Problem>?, Never>
        if let begun = making[key] {
            task = begun
        } else {
            let work = work
            task = Task { await work.run(make) }
            making[key] = task
        }
        let made = await task.value
        // Who waited for a file that is not kept may find the work of a later request here.
        if making[key] == task { making[key] = nil }
        guard let made else { throw Problem.starting }
        let file = try made.get()
        if file.lasts { keep(file.bytes, as: key) }
        return file.bytes
    }

    private func keep(_ file: [UInt8], as key: Key) {
        guard kept[key] == nil else { return }
        kept[key] = file
        order.append(key)
        bytes += file.count
        while bytes > mostBytes || order.count > mostFiles {
            let oldest = order.removeFirst()
            bytes -= kept.removeValue(forKey: oldest)?.count ?? 0
        }
    }
}
