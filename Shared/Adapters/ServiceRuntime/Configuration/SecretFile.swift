import Glibc

/// A secret for programs without declared settings: the variable itself, or the content of the file
/// in `NAME_FILE`.
public func secretVariable(_ name: String, in environment: [String: String]) -> String? {
    if let value = environment[name], !value.isEmpty { return value }
    guard let path = environment[name + "_FILE"], !path.isEmpty else { return nil }
    return SecretFile.read(path)
}

/// Reads a secret from a file, the way container engines pass secrets.
enum SecretFile {
    /// The limit for a secret file. It is larger than any password, key or connection string.
    static let limitBytes = 65_536
    static let problem = "names a file that cannot be read, is empty, too large or not UTF-8"

    /// The content without a final line break. Nil when there is no usable content.
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0, count <= limitBytes else { return nil }
        var content = bytes[..<count]
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        guard !content.isEmpty, !content.contains(0) else { return nil }
        return String(validating: content, as: UTF8.self)
    }
}
