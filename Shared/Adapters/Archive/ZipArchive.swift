import CArchive
import Glibc

/// Makes a zip in memory.
public enum ZipArchive {
    /// The bytes of a zip that holds the files in their order. The same files give the same bytes: no time
    /// of day is written.
    public static func pack(
        _ files: [(path: String, bytes: [UInt8])]
    ) throws(ArchiveError) -> [UInt8] {
        // A file that does not get smaller takes its size, and each its name twice with some numbers.
        let capacity = files.reduce(1 << 16) {
            $0 + $1.bytes.count + $1.bytes.count / 8 + 2 * $1.path.utf8.count + 1_024
        }
        var packed = [UInt8](repeating: 0, count: capacity)
        var used = 0
        let problem = packed.withUnsafeMutableBytes { buffer in
            write(files, into: buffer, used: &used)
        }
        if let problem { throw ArchiveError(code: .unreadable, path: "zip", detail: problem) }
        packed.removeLast(capacity - used)
        return packed
    }

    /// Returns what went wrong, if anything did.
    private static func write(
        _ files: [(path: String, bytes: [UInt8])], into buffer: UnsafeMutableRawBufferPointer,
        used: inout Int
    ) -> String? {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            return "there is no memory left"
        }
        defer {
            archive_entry_free(entry)
            archive_write_free(archive)
        }
        func fault() -> String {
            archive_error_string(archive).map { String(cString: $0) } ?? "it can't be written"
        }
        archive_write_set_format_zip(archive)
        // libarchive writes into the buffer until the archive is closed, which is before this returns.
        guard
            archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used)
                == ARCHIVE_OK
        else { return fault() }
        for file in files {
            archive_entry_clear(entry)
            archive_entry_set_pathname(entry, file.path)
            archive_entry_set_filetype(entry, S_IFREG)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(file.bytes.count))
            guard archive_write_header(archive, entry) == ARCHIVE_OK else { return fault() }
            let written = file.bytes.withUnsafeBytes {
                archive_write_data(archive, $0.baseAddress, $0.count)
            }
            guard written == file.bytes.count else { return fault() }
        }
        return archive_write_close(archive) == ARCHIVE_OK ? nil : fault()
    }
}
