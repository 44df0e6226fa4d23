import Foundation
import Glibc
internal import Wire

/// The folder in which a scanner keeps its enrolment, its spool and its status.
struct StateFolder: Sendable {
    let path: String

    /// systemd names the folder of a service; a person's is in the home folder.
    static func usual(_ environment: [String: String]) -> StateFolder {
        if let given = environment["STATE_DIRECTORY"], !given.isEmpty {
            return StateFolder(path: given)
        }
        return StateFolder(
            path: "\(environment["HOME"] ?? "")/.local/state/whereabouts-scanner")
    }

    var enrolmentFile: String { "\(path)/enrolment.json" }
    var spool: String { "\(path)/spool" }
    var statusFile: String { "\(path)/status.json" }
    var settingsFile: String { "\(path)/settings.json" }

    func enrolment() throws(ScannerFault) -> ScannerEnrolment {
        guard let bytes = FileManager.default.contents(atPath: enrolmentFile) else {
            throw ScannerFault("\(enrolmentFile) is not there: run `scanner enrol URL CODE` first")
        }
        do throws(WireFault) {
            return try ScannerEnrolment(json: Array(bytes))
        } catch {
            throw ScannerFault("\(enrolmentFile) can't be read: \(error)")
        }
    }

    /// Writes a file whole or not at all, for its owner alone.
    ///
    /// - Parameter isLasting: whether it must outlast a loss of power right afterwards.
    func write(
        _ bytes: [UInt8], to file: String, isLasting: Bool = false
    ) throws(ScannerFault) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
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
