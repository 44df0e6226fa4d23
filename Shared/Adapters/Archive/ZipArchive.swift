import CArchive
import Glibc

/// Creates and opens zips in memory.
public enum ZipArchive {
    /// Packs the files into a zip, in their order. The same files give the same bytes, because no
    /// time is written.
    public static func pack(
        _ files: [(path: String, bytes: [UInt8])]
    ) throws(ArchiveError) -> [UInt8] {
        // Room for files that do not shrink, and for each name twice with some numbers.
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

    /// Writes the files. Returns an error text, or nil on success.
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
        // libarchive writes into the buffer until the archive is closed, and that happens before
        // this function returns.
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

    /// The regular files of a zip, in its order.
    public static func unpack(
        _ packed: [UInt8], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [(path: String, bytes: [UInt8])] {
        var files: [(path: String, bytes: [UInt8])] = []
        let problem = packed.withUnsafeBytes { bytes in
            read(bytes, limits, into: &files)
        }
        if let problem { throw problem }
        return files
    }

    /// Reads the zip. Returns the error, or nil on success. The bytes have to stay valid until it
    /// returns.
    private static func read(
        _ packed: UnsafeRawBufferPointer, _ limits: ArchiveLimits,
        into files: inout [(path: String, bytes: [UInt8])]
    ) -> ArchiveError? {
        guard let archive = archive_read_new() else {
            return ArchiveError(code: .unreadable, path: "zip", detail: "there is no memory left")
        }
        defer { archive_read_free(archive) }
        func fault() -> ArchiveError {
            let text = archive_error_string(archive).map { String(cString: $0) }
            return ArchiveError(code: .damaged, path: "zip", detail: text ?? "it can't be read")
        }
        archive_read_support_format_zip(archive)
        guard archive_read_open_memory(archive, packed.baseAddress, packed.count) == ARCHIVE_OK
        else { return fault() }
        var total = 0
        while true {
            var entry: OpaquePointer?
            let status = archive_read_next_header(archive, &entry)
            if status == ARCHIVE_EOF { return nil }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { return fault() }
            guard archive_entry_filetype(entry) == S_IFREG,
                let name = archive_entry_pathname(entry)
            else { continue }
            guard files.count < limits.entries else {
                return ArchiveError(
                    code: .tooManyEntries, path: "zip",
                    detail: "more than \(limits.entries) entries")
            }
            let path = String(cString: name)
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = chunk.withUnsafeMutableBytes {
                    archive_read_data(archive, $0.baseAddress, $0.count)
                }
                guard count >= 0 else { return fault() }
                guard count > 0 else { break }
                total += count
                bytes.append(contentsOf: chunk[..<count])
                guard bytes.count <= limits.entryBytes, total <= limits.totalBytes else {
                    return ArchiveError(
                        code: .tooLarge, path: "zip",
                        detail: "\(path) unpacks to more than allowed")
                }
            }
            files.append((path, bytes))
        }
    }
}
