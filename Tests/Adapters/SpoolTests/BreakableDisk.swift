import Glibc

@testable import Spool

/// Files in memory. They can stop at a step as a killed process does, lose what was not synced as a
/// machine without power does, or be full.
final class BreakableDisk: SpoolDisk {
    struct File {
        var bytes: [UInt8] = []
        var syncedCount = 0
    }

    var files: [String: File] = [:]
    /// Steps until the process is killed; negative for never.
    var stepsLeft = -1
    /// The bytes of the last append that the kill lets through.
    var lastBytes = 0
    var capacity = Int.max
    /// Files that the disk can't read any more.
    var unreadable: Set<String> = []
    private(set) var steps = 0
    private(set) var syncs = 0
    private(set) var isDead = false

    init(_ files: [String: File] = [:]) { self.files = files }

    /// Counts a step; throws if it is the one at which the process dies, and after it.
    private func step() throws(SpoolError) {
        steps += 1
        if stepsLeft == 0 { isDead = true }
        if isDead { throw SpoolError("killed", EINTR) }
        if stepsLeft > 0 { stepsLeft -= 1 }
    }

    func names() throws(SpoolError) -> [String] {
        try step()
        return files.keys.sorted()
    }

    func read(_ name: String) throws(SpoolError) -> [UInt8] {
        guard let file = files[name] else { throw SpoolError("read", ENOENT) }
        if unreadable.contains(name) { throw SpoolError("read \(name)", EIO) }
        return file.bytes
    }

    func append(_ bytes: [UInt8], to name: String) throws(SpoolError) {
        let wasDead = isDead
        do throws(SpoolError) {
            try step()
        } catch {
            if !wasDead { files[name, default: File()].bytes += bytes.prefix(lastBytes) }
            throw error
        }
        let room = self.room
        files[name, default: File()].bytes += bytes.prefix(max(0, room))
        if room < bytes.count { throw SpoolError("write", ENOSPC) }
    }

    func replace(_ name: String, with bytes: [UInt8]) throws(SpoolError) {
        try step()
        // The former bytes go when the new ones are there.
        guard bytes.count <= room else { throw SpoolError("write", ENOSPC) }
        files[name] = File(bytes: bytes, syncedCount: 0)
    }

    /// The bytes that the disk still takes.
    private var room: Int { capacity - files.values.reduce(0) { $0 + $1.bytes.count } }

    func cut(_ name: String, to count: Int) throws(SpoolError) {
        try step()
        if let file = files[name] { files[name]!.bytes = Array(file.bytes.prefix(count)) }
    }

    func remove(_ name: String) throws(SpoolError) {
        try step()
        files[name] = nil
    }

    func rename(_ name: String, to other: String) throws(SpoolError) {
        try step()
        files[other] = files.removeValue(forKey: name)
    }

    func sync(_ name: String) throws(SpoolError) {
        if let file = files[name] { files[name]!.syncedCount = file.bytes.count }
    }

    func sync() throws(SpoolError) {
        try step()
        syncs += 1
        for name in files.keys { files[name]!.syncedCount = files[name]!.bytes.count }
    }
}
