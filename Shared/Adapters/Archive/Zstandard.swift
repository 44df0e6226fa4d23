import CArchive
import Glibc

/// Compresses and unpacks bytes in memory, in Zstandard's format (RFC 8878).
public enum Zstandard {
    public static func compress(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
        try bytes.withUnsafeBufferPointer { (source) throws(ArchiveError) in
            try compress(UnsafeRawBufferPointer(source))
        }
    }

    public static func compress(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> [UInt8] {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            throw ArchiveError(code: .unreadable, path: "", detail: "there is no memory left")
        }
        defer {
            archive_write_free(archive)
            archive_entry_free(entry)
        }
        archive_write_set_format_raw(archive)
        archive_write_add_filter_zstd(archive)
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_pathname(entry, "data")
        // Bytes that can't be compressed get some more of frames (RFC 8878, section 3.1.1).
        let capacity = bytes.count + bytes.count / 64 + 65_536
        let used = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        used.initialize(to: 0)
        defer { used.deallocate() }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        defer { buffer.deallocate() }
        guard archive_write_open_memory(archive, buffer, capacity, used) == ARCHIVE_OK,
            archive_write_header(archive, entry) == ARCHIVE_OK,
            archive_write_data(archive, bytes.baseAddress, bytes.count) == bytes.count,
            archive_write_close(archive) == ARCHIVE_OK
        else { throw failure(archive) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: used.pointee))
    }

    /// - Parameter limit: the most unpacked bytes; more are an error.
    public static func unpack(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        guard let archive = archive_read_new() else {
            throw ArchiveError(code: .unreadable, path: "", detail: "there is no memory left")
        }
        defer { archive_read_free(archive) }
        archive_read_support_filter_zstd(archive)
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
        return try bytes.withUnsafeBufferPointer { (source) throws(ArchiveError) in
            try read(UnsafeRawBufferPointer(source), archive, limit)
        }
    }

    private static func read(
        _ source: UnsafeRawBufferPointer, _ archive: OpaquePointer, _ limit: Int
    ) throws(ArchiveError) -> [UInt8] {
        var entry: OpaquePointer?
        guard archive_read_open_memory(archive, source.baseAddress, source.count) == ARCHIVE_OK
        else { throw failure(archive) }
        let status = archive_read_next_header(archive, &entry)
        guard status != ARCHIVE_EOF else { return [] }
        guard status == ARCHIVE_OK else { throw failure(archive) }
        var unpacked: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = piece.withUnsafeMutableBytes {
                archive_read_data(archive, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw failure(archive) }
            guard count > 0 else { return unpacked }
            guard unpacked.count + count <= limit else {
                throw ArchiveError(
                    code: .tooLarge, path: "", detail: "it unpacks to more than \(limit) bytes")
            }
            unpacked.append(contentsOf: piece[..<count])
        }
    }

    private static func failure(_ archive: OpaquePointer) -> ArchiveError {
        let text = archive_error_string(archive).map { String(cString: $0) }
        return ArchiveError(code: .damaged, path: "", detail: text ?? "it can't be unpacked")
    }
}
