import Cryptography
import Foundation

/// Where a service finds the password of its role.
struct DatabaseRoleFiles: Sendable {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// The directory of all of them; it may be missing, and what it is in may not.
    static func directory(_ path: String) throws(CommandFault) -> URL {
        let directory = URL(filePath: path).standardizedFileURL
        let parent = directory.deletingLastPathComponent()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: parent.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw CommandFault("--directory \(path): there is no folder \(parent.path)") }
        return directory
    }

    static func newPassword() -> String { BearerToken().hash }

    /// Nil where none was made.
    var password: String? {
        let known = try? String(contentsOf: folder.appending(path: "password"), encoding: .utf8)
        return known?.isEmpty == false ? known : nil
    }

    /// Keeps it for the next run.
    func keep(_ password: String) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard password != self.password else { return }
        try write(password, to: folder.appending(path: "password"))
    }

    /// What the service reads.
    func write(url words: String) throws {
        try write(words, to: folder.appending(path: "url"))
        // systemd reads what is between double quotes, but for backslashes, as it stands.
        let quoted = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        try write(
            "DATABASE_URL=\"\(quoted)\"\n", to: folder.appending(path: "environment"))
    }

    /// Whole or not at all, and for nobody else to read at any moment.
    private func write(_ text: String, to file: URL) throws {
        let fresh = file.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh.path, contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]), rename(fresh.path, file.path) == 0
        else { throw CommandFault("\(file.path) can't be written") }
    }
}
