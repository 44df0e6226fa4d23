import Cryptography
import Foundation

/// The folder of one service with the password of its database role: `password`, `url` and
/// `environment`.
struct DatabaseRoleFiles: Sendable {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// The directory that holds the folders of all services. It need not exist yet.
    ///
    /// - Throws: `CommandFault` if its parent folder does not exist.
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

    /// The password that an earlier run has made; nil if there is none.
    var password: String? {
        let known = try? String(contentsOf: folder.appending(path: "password"), encoding: .utf8)
        return known?.isEmpty == false ? known : nil
    }

    /// Stores the password for the next run.
    func keep(_ password: String) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard password != self.password else { return }
        try write(password, to: folder.appending(path: "password"))
    }

    /// Writes the service's DATABASE_URL: alone to `url`, and as a line for systemd to
    /// `environment`.
    func write(url words: String) throws {
        try write(words, to: folder.appending(path: "url"))
        // Between double quotes systemd gives a meaning to backslashes and quotes only.
        let quoted = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        try write(
            "DATABASE_URL=\"\(quoted)\"\n", to: folder.appending(path: "environment"))
    }

    /// Replaces the file in one step. At no moment can anybody but its owner read it.
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
