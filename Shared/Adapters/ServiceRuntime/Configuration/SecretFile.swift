import Glibc

/// A secret for programs without declared settings: the variable itself, or the content of the file
/// in `NAME_FILE`.
public func secretVariable(
    _ name: String, in environment: [String: String]
) throws(ConfigurationError) -> String? {
    if let value = environment[name], !value.isEmpty { return value }
    guard let path = environment[name + "_FILE"], !path.isEmpty else { return nil }
    do throws(MalformedValue) {
        return try SecretFile.read(path)
    } catch {
        throw ConfigurationError(faults: [
            ConfigurationFault(name: name + "_FILE", problem: error.reason)
        ])
    }
}

/// The fault of a file that a setting names, as the rest of a sentence that begins with the
/// setting's name. Nil for a file that can be read.
public func unreadableFile(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return unreadable(path, errno) }
    defer { fclose(file) }
    // A directory can be opened, but not read.
    return fgetc(file) == EOF && ferror(file) != 0 ? unreadable(path, errno) : nil
}

private func unreadable(_ path: String, _ code: Int32) -> String {
    "names \(path), which can't be read: \(String(cString: strerror(code)))"
}

/// Reads a secret from a file, the way container engines pass secrets.
enum SecretFile {
    /// The limit for a secret file. It is larger than any password, key or connection string.
    static let limitBytes = 65_536

    /// The content without a final line break. The fault names the file, never its content.
    static func read(_ path: String) throws(MalformedValue) -> String {
        // Somebody may put the secret itself here. A path with / or . at its start is none.
        let shown = path.hasPrefix("/") || path.hasPrefix(".") ? path : "a file"
        guard let file = fopen(path, "r") else {
            throw MalformedValue(unreadable(shown, errno))
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw MalformedValue(unreadable(shown, errno)) }
        guard count <= limitBytes else {
            throw MalformedValue("names \(shown), which has more than \(limitBytes) bytes")
        }
        var content = bytes[..<count]
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        guard !content.isEmpty else { throw MalformedValue("names \(shown), which is empty") }
        guard !content.contains(0), let text = String(validating: content, as: UTF8.self) else {
            throw MalformedValue("names \(shown), which is not text in UTF-8")
        }
        return text
    }
}
