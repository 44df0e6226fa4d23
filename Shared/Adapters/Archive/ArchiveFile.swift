import CArchive
import Glibc

/// One file on disk, read through libarchive: a zip, a tar with any compression, or a single file.
/// A single file, gzipped or not, has one entry.
///
/// Owns the handle. `deinit` frees it, also when opening the file failed.
final class ArchiveFile {
    enum Form { case zip, tar, single }

    /// The file type bits of a regular file. It is defined here because glibc and libarchive both
    /// define it, so the name is ambiguous.
    private static let regularFile: mode_t = 0o100000

    private let path: String
    private let handle: OpaquePointer
    private let isSingle: Bool
    private var hasBegun = false
    /// Whether the file has no bytes. libarchive finds no entry in such a file.
    private var isEmpty = false
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    static func form(of path: String) -> Form {
        let name = path.lowercased()
        if name.hasSuffix(".zip") { return .zip }
        let tars = [".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar.zst"]
        return tars.contains { name.hasSuffix($0) } ? .tar : .single
    }

    init(_ path: String) throws(ArchiveError) {
        guard let handle = archive_read_new() else {
            throw ArchiveError(code: .unreadable, path: path, detail: "out of memory")
        }
        self.path = path
        self.handle = handle
        isSingle = Self.form(of: path) == .single
        archive_read_support_filter_all(handle)
        switch Self.form(of: path) {
        case .zip: archive_read_support_format_zip(handle)
        case .tar: archive_read_support_format_tar(handle)
        case .single:
            archive_read_support_format_raw(handle)
            archive_read_support_format_empty(handle)
        }
        guard archive_read_open_filename(handle, path, 1 << 16) == ARCHIVE_OK else {
            throw failure(archive_errno(handle) == ENOENT ? .notFound : .unreadable)
        }
    }

    deinit { archive_read_free(handle) }

    /// The path and size of the next regular file; nil at the end. The size is nil where the
    /// archive does not state it.
    func nextEntry() throws(ArchiveError) -> (path: String, size: Int?)? {
        while !isEmpty {
            var entry: OpaquePointer?
            let status = archive_read_next_header(handle, &entry)
            if status == ARCHIVE_EOF {
                isEmpty = isSingle && !hasBegun
                hasBegun = true
                return isEmpty ? (path, 0) : nil
            }
            hasBegun = true
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else {
                throw failure(.damaged)
            }
            // Links, folders and devices have no content for us.
            let isFile = archive_entry_filetype(entry) == Self.regularFile
            guard isFile, let name = archive_entry_pathname(entry) else { continue }
            let size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil
            return (String(cString: name), size.map { Int($0) })
        }
        return nil
    }

    /// Calls the body with the entry's next bytes. Returns false at the entry's end.
    func readChunk(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard !isEmpty else { return false }
        let count = buffer.withUnsafeMutableBytes { buffer in
            archive_read_data(handle, buffer.baseAddress, buffer.count)
        }
        guard count >= 0 else { throw failure(.damaged) }
        guard count > 0 else { return false }
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        return true
    }

    private func failure(_ code: ArchiveError.Code) -> ArchiveError {
        let text = archive_error_string(handle).map { String(cString: $0) }
        return ArchiveError(code: code, path: path, detail: text ?? "cannot be read")
    }
}
