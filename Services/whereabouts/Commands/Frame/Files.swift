import Glibc

/// A file or folder that can't be read, made or written.
struct FileFault: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "\(path): \(reason)" }

    /// The fault that errno describes now.
    static func now(_ path: String) -> FileFault {
        FileFault(path: path, reason: String(cString: strerror(errno)))
    }
}

/// Makes the folder unless it exists; its parent folder must exist.
func makeFolder(_ path: String) throws(FileFault) {
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw .now(path)
}

/// Writes the bytes to the file and replaces its former contents.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileFault) {
    guard let file = fopen(path, "w") else { throw .now(path) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw .now(path) }
}

/// Whether there is a file or folder of this path.
func hasFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Removes the file if there is one.
func removeFile(_ path: String) throws(FileFault) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw .now(path)
}

func readFile(_ path: String) throws(FileFault) -> [UInt8] {
    guard let file = fopen(path, "r") else { throw .now(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&piece, 1, piece.count, file)
        guard count > 0 else { break }
        bytes += piece[..<count]
    }
    guard ferror(file) == 0 else { throw .now(path) }
    return bytes
}
