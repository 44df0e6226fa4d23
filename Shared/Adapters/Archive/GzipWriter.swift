import CArchive
import Glibc

/// Writes one file, gzipped when its name ends in `.gz`.
///
/// One thread at a time uses a writer. `close` throws if not everything was written.
public final class GzipWriter {
    private let path: String
    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private var isOpen = true

    /// Creates the file, or empties it if it exists.
    public init(path: String) throws(ArchiveError) {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            throw ArchiveError(code: .unreadable, path: path, detail: "there is no memory left")
        }
        self.path = path
        self.archive = archive
        self.entry = entry
        archive_write_set_format_raw(archive)
        if path.hasSuffix(".gz") { archive_write_add_filter_gzip(archive) }
        // libarchive's raw format has one entry of unknown size, which must still be a regular
        // file.
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_pathname(entry, "data")
        guard archive_write_open_filename(archive, path) == ARCHIVE_OK,
            archive_write_header(archive, entry) == ARCHIVE_OK
        else { throw fault() }
    }

    deinit {
        archive_write_free(archive)
        archive_entry_free(entry)
    }

    public func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let written = bytes.withUnsafeBytes {
            archive_write_data(archive, $0.baseAddress, $0.count)
        }
        guard written == bytes.count else { throw fault() }
    }

    /// Writes the bytes that are still in memory. The caller may write nothing after it.
    public func close() throws(ArchiveError) {
        guard isOpen else { return }
        isOpen = false
        guard archive_write_close(archive) == ARCHIVE_OK else { throw fault() }
    }

    private func fault() -> ArchiveError {
        let text = archive_error_string(archive).map { String(cString: $0) }
        return ArchiveError(
            code: .unreadable, path: path, detail: text ?? "it can't be written")
    }
}
