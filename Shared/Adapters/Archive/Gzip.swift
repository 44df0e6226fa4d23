import CArchive
import Glibc

/// Gzip in memory (RFC 1952), for answers over HTTP.
public enum Gzip {
    /// The bytes as a gzip file without name and time, so that the same bytes give the same file.
    ///
    /// - Parameter level: from 1, fast, to 9, small.
    /// - Returns: nil where that is no shorter than the bytes themselves, or memory is short.
    public static func packed(_ bytes: [UInt8], level: Int) -> [UInt8]? {
        guard let archive = archive_write_new() else { return nil }
        defer { archive_write_free(archive) }
        guard let entry = archive_entry_new() else { return nil }
        defer { archive_entry_free(entry) }
        archive_write_set_format_raw(archive)
        archive_write_add_filter_gzip(archive)
        archive_write_set_filter_option(archive, "gzip", "compression-level", "\(level)")
        archive_write_set_filter_option(archive, "gzip", "timestamp", nil)
        // libarchive's raw format has one entry of unknown size, which must be a regular file.
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_pathname(entry, "data")
        var isWhole = false
        let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            var used = 0
            withUnsafeMutablePointer(to: &used) { used in
                // The writer fails when the buffer is full: then gzip gains nothing.
                guard
                    archive_write_open_memory(archive, buffer.baseAddress, buffer.count, used)
                        == ARCHIVE_OK, archive_write_header(archive, entry) == ARCHIVE_OK
                else { return }
                let written = bytes.withUnsafeBytes {
                    archive_write_data(archive, $0.baseAddress, $0.count)
                }
                isWhole =
                    written == bytes.count && archive_write_close(archive) == ARCHIVE_OK
            }
            count = isWhole ? used : 0
        }
        return isWhole && packed.count < bytes.count ? packed : nil
    }
}
