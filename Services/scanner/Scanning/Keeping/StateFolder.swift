import Glibc
internal import Wire

/// The folder in which a scanner keeps its enrolment, its spool and its status.
struct StateFolder: Sendable {
    let path: String

    /// systemd names the folder of a service; a person's is in the home folder.
    static var usual: StateFolder {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        let given = variable("STATE_DIRECTORY")
        if !given.isEmpty { return StateFolder(path: given) }
        return StateFolder(path: "\(variable("HOME"))/.local/state/whereabouts-scanner")
    }

    var enrolmentFile: String { "\(path)/enrolment.json" }
    var spool: String { "\(path)/spool" }
    var statusFile: String { "\(path)/status.json" }
    var settingsFile: String { "\(path)/settings.json" }
    var lockFile: String { "\(path)/lock" }

    /// Takes the folder for this process. Two scanners in one folder would delete each other's
    /// scans.
    ///
    /// The descriptor stays open, so the kernel releases the lock when the process ends.
    func lock() throws(ScannerFault) {
        makeFolder()
        let descriptor = open(lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ScannerFault(lockFile, errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            if reason == EINTR { continue }
            close(descriptor)
            guard reason == EAGAIN else { throw ScannerFault(lockFile, reason) }
            throw ScannerFault("a scanner already runs on the folder \(path)")
        }
    }

    func enrolment() throws(ScannerFault) -> ScannerEnrolment {
        guard let bytes = Self.contents(enrolmentFile) else {
            throw ScannerFault("\(enrolmentFile) is not there: run `scanner enrol URL CODE` first")
        }
        do throws(WireFault) {
            return try ScannerEnrolment(json: bytes)
        } catch {
            throw ScannerFault("\(enrolmentFile) can't be read: \(error)")
        }
    }

    /// The bytes of a file, which is a small one; nil where it can't be read.
    static func contents(_ file: String) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Makes the folder and those above it. A failure shows when a file is written.
    private func makeFolder() {
        var made = ""
        for part in path.split(separator: "/") {
            made += made.isEmpty && !path.hasPrefix("/") ? "\(part)" : "/\(part)"
            mkdir(made, 0o700)
        }
    }

    /// Writes a file whole or not at all, for its owner alone.
    ///
    /// - Parameter isLasting: whether it must outlast a loss of power right afterwards.
    func write(
        _ bytes: [UInt8], to file: String, isLasting: Bool = false
    ) throws(ScannerFault) {
        makeFolder()
        let draft = file + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ScannerFault(draft, errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            !isLasting || fdatasync(descriptor) == 0, rename(draft, file) == 0
        else { throw ScannerFault(file, errno) }
        guard isLasting else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw ScannerFault(path, errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw ScannerFault(path, errno) }
    }
}

/// A sentence for the person at the scanner.
struct ScannerFault: Error, Hashable, Sendable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }

    init(_ place: String, _ number: Int32) {
        description = "\(place): \(String(cString: strerror(number)))"
    }
}
