import Glibc

/// A spool's files in a folder of this machine.
final class FolderDisk: SpoolDisk {
    private let folder: String
    /// Files that were written since the last `sync`, by name.
    private var open: [String: Int32] = [:]
    private var isFolderChanged = false

    /// Makes the folder, readable by its owner only, where there is none.
    init(_ folder: String) throws(SpoolError) {
        self.folder = folder
        var path = ""
        for part in folder.split(separator: "/") {
            path += path.isEmpty && !folder.hasPrefix("/") ? "\(part)" : "/\(part)"
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw SpoolError("make \(path)")
            }
        }
    }

    deinit { for file in open.values { close(file) } }

    func names() throws(SpoolError) -> [String] {
        guard let stream = opendir(folder) else { throw SpoolError("list \(folder)") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func read(_ name: String) throws(SpoolError) -> [UInt8] {
        let file = Glibc.open(path(name), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SpoolError("open \(name)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SpoolError("stat \(name)") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress! + count, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw SpoolError("read \(name)") }
            if more == 0 { break }
            count += more
        }
        return Array(bytes[..<count])
    }

    func append(_ bytes: [UInt8], to name: String) throws(SpoolError) {
        let file: Int32
        if let known = open[name] {
            file = known
        } else {
            file = Glibc.open(path(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw SpoolError("open \(name)") }
            open[name] = file
            isFolderChanged = true
        }
        try write(bytes, file, name)
    }

    func replace(_ name: String, with bytes: [UInt8]) throws(SpoolError) {
        let draft = name + ".new"
        let file = Glibc.open(path(draft), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SpoolError("open \(draft)") }
        defer { close(file) }
        try write(bytes, file, draft)
        try move(draft, to: name)
    }

    func cut(_ name: String, to count: Int) throws(SpoolError) {
        guard truncate(path(name), count) == 0 else { throw SpoolError("cut \(name)") }
    }

    func remove(_ name: String) throws(SpoolError) {
        if let file = open.removeValue(forKey: name) { close(file) }
        guard unlink(path(name)) == 0 || errno == ENOENT else { throw SpoolError("remove \(name)") }
    }

    func rename(_ name: String, to other: String) throws(SpoolError) {
        if let file = open.removeValue(forKey: name) { close(file) }
        try move(name, to: other)
    }

    private func move(_ name: String, to other: String) throws(SpoolError) {
        guard Glibc.rename(path(name), path(other)) == 0 else {
            throw SpoolError("rename \(name)")
        }
        isFolderChanged = true
    }

    func sync(_ name: String) throws(SpoolError) {
        let file = Glibc.open(path(name), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SpoolError("open \(name)") }
        defer { close(file) }
        guard fdatasync(file) == 0 else { throw SpoolError("sync \(name)") }
        try syncFolder()
    }

    func sync() throws(SpoolError) {
        for (name, file) in open {
            guard fdatasync(file) == 0 else { throw SpoolError("sync \(name)") }
            close(file)
            open[name] = nil
        }
        if isFolderChanged { try syncFolder() }
    }

    private func syncFolder() throws(SpoolError) {
        let file = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw SpoolError("open \(folder)") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw SpoolError("sync \(folder)") }
        isFolderChanged = false
    }

    private func write(_ bytes: [UInt8], _ file: Int32, _ name: String) throws(SpoolError) {
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress! + count, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw SpoolError("write \(name)") }
            count += more
        }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
