/// Files that were made before, while there is room: the oldest goes first.
struct KeptFiles<Key: Hashable & Sendable> {
    let mostFiles: Int
    let mostBytes: Int
    private var files: [Key: [UInt8]] = [:]
    /// The kept files, the oldest first.
    private var order: [Key] = []
    private var bytes = 0

    init(mostFiles: Int, mostBytes: Int) {
        self.mostFiles = mostFiles
        self.mostBytes = mostBytes
    }

    subscript(key: Key) -> [UInt8]? { files[key] }

    mutating func keep(_ file: [UInt8], as key: Key) {
        guard files[key] == nil else { return }
        files[key] = file
        order.append(key)
        bytes += file.count
        while bytes > mostBytes || order.count > mostFiles {
            let oldest = order.removeFirst()
            bytes -= files.removeValue(forKey: oldest)?.count ?? 0
        }
    }
}
