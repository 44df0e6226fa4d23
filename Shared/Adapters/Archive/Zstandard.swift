import CArchive
import Glibc

/// Compresses and unpacks bytes in memory, in Zstandard's format (RFC 8878).
public enum Zstandard {
    public static func compress(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
        let writer = try ZstandardWriter()
        try writer.write(bytes)
        return try writer.finish()
    }

    /// - Parameter limit: the most unpacked bytes; more are an error.
    public static func unpack(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        let reader = try ZstandardReader(bytes, limit: limit)
        var unpacked: [UInt8] = []
        while let part = try reader.next() { unpacked += part }
        return unpacked
    }

    fileprivate static let noMemory = ArchiveError(
        code: .unreadable, path: "", detail: "there is no memory left")

    fileprivate static func failure(_ archive: OpaquePointer) -> ArchiveError {
        let text = archive_error_string(archive).map { String(cString: $0) }
        return ArchiveError(code: .damaged, path: "", detail: text ?? "it can't be unpacked")
    }
}

/// Compresses bytes that come in parts. One thread at a time uses a writer.
public final class ZstandardWriter {
    private final class Packed {
        var bytes: [UInt8] = []
    }

    private let archive: OpaquePointer
    private let entry: OpaquePointer
    private let packed = Packed()

    public init() throws(ArchiveError) {
        guard let archive = archive_write_new(), let entry = archive_entry_new() else {
            throw Zstandard.noMemory
        }
        self.archive = archive
        self.entry = entry
        archive_write_set_format_raw(archive)
        archive_write_add_filter_zstd(archive)
        // Else the end would be filled up with zeros.
        archive_write_set_bytes_in_last_block(archive, 1)
        archive_entry_set_filetype(entry, S_IFREG)
        archive_entry_set_pathname(entry, "data")
        // The archive is freed before `packed`, so the pointer stays valid while it is used.
        let target = Unmanaged.passUnretained(packed).toOpaque()
        let opened = archive_write_open(
            archive, target, nil,
            { _, target, bytes, count in
                guard let target else { return -1 }
                let packed = Unmanaged<Packed>.fromOpaque(target).takeUnretainedValue()
                packed.bytes += UnsafeRawBufferPointer(start: bytes, count: count)
                return count
            }, nil)
        guard opened == ARCHIVE_OK, archive_write_header(archive, entry) == ARCHIVE_OK else {
            throw Zstandard.failure(archive)
        }
    }

    deinit {
        archive_write_free(archive)
        archive_entry_free(entry)
    }

    public func write(_ bytes: [UInt8]) throws(ArchiveError) {
        let written = bytes.withUnsafeBytes {
            archive_write_data(archive, $0.baseAddress, $0.count)
        }
        guard written == bytes.count else { throw Zstandard.failure(archive) }
    }

    /// The compressed bytes. The caller may write nothing after it.
    public func finish() throws(ArchiveError) -> [UInt8] {
        guard archive_write_close(archive) == ARCHIVE_OK else { throw Zstandard.failure(archive) }
        return packed.bytes
    }
}

/// Unpacks bytes part by part. One thread at a time uses a reader.
public final class ZstandardReader {
    private static let partBytes = 1 << 18

    private let archive: OpaquePointer
    /// A copy of the bytes that stays where it is.
    private let source: UnsafeMutableRawBufferPointer
    private let limit: Int
    private var isAtEnd = false
    private var count = 0

    /// - Parameter limit: the most unpacked bytes; more are an error.
    public init(_ bytes: [UInt8], limit: Int) throws(ArchiveError) {
        guard let archive = archive_read_new() else { throw Zstandard.noMemory }
        self.archive = archive
        self.limit = limit
        source = .allocate(byteCount: bytes.count, alignment: 16)
        source.copyBytes(from: bytes)
        archive_read_support_filter_zstd(archive)
        archive_read_support_format_raw(archive)
        archive_read_support_format_empty(archive)
        guard archive_read_open_memory(archive, source.baseAddress, source.count) == ARCHIVE_OK
        else { throw Zstandard.failure(archive) }
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_OK: break
        case ARCHIVE_EOF: isAtEnd = true
        default: throw Zstandard.failure(archive)
        }
    }

    deinit {
        archive_read_free(archive)
        source.deallocate()
    }

    /// The next bytes; nil at the end.
    public func next() throws(ArchiveError) -> [UInt8]? {
        guard !isAtEnd else { return nil }
        var got = 0
        let part = [UInt8](unsafeUninitializedCapacity: Self.partBytes) { buffer, filled in
            got = archive_read_data(archive, buffer.baseAddress, buffer.count)
            filled = max(0, got)
        }
        guard got >= 0 else { throw Zstandard.failure(archive) }
        guard got > 0 else {
            isAtEnd = true
            return nil
        }
        count += got
        guard count <= limit else {
            throw ArchiveError(
                code: .tooLarge, path: "", detail: "it unpacks to more than \(limit) bytes")
        }
        return part
    }
}
