internal import Cryptography

/// One record as it lies in a file: a mark, the length, the sequence, a checksum, and the bytes.
///
/// The mark is no valid UTF-8, so a record that is text never contains it. After damage the reader
/// looks for the next mark, so it finds every whole record.
enum SpoolFrame {
    static let headBytes = 22
    /// A longer record is refused, so a damaged length never asks for much memory.
    static let mostBytes = 4 << 20
    private static let mark: [UInt8] = [0x57, 0xA5]
    private static let key = Array("whereabouts spool".utf8)

    static func bytes(_ record: SpoolRecord) -> [UInt8] {
        let head = littleEndian(UInt32(record.bytes.count)) + littleEndian(record.sequence)
        return mark + head + checksum(head, record.bytes[...]) + record.bytes
    }

    /// The whole records of a file in order, and the number of bytes that belong to none.
    static func records(in file: [UInt8]) -> (records: [SpoolRecord], damagedBytes: Int) {
        var records: [SpoolRecord] = []
        var damaged = 0
        var position = 0
        while position < file.count {
            if let record = record(at: position, in: file) {
                position += headBytes + record.bytes.count
                records.append(record)
                continue
            }
            damaged += 1
            position += 1
            while position < file.count, file[position] != mark[0] {
                damaged += 1
                position += 1
            }
        }
        return (records, damaged)
    }

    private static func record(at start: Int, in file: [UInt8]) -> SpoolRecord? {
        guard file.count - start >= headBytes, file[start] == mark[0], file[start + 1] == mark[1]
        else { return nil }
        let head = Array(file[(start + 2)..<(start + 14)])
        let count = Int(head[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        let body = start + headBytes
        guard count <= mostBytes, file.count - body >= count else { return nil }
        let bytes = file[body..<(body + count)]
        guard checksum(head, bytes)[...] == file[(start + 14)..<body] else { return nil }
        let sequence = head[4...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return SpoolRecord(sequence: sequence, bytes: Array(bytes))
    }

    /// The first 8 bytes of BLAKE2b: a damaged record passes once in 2^64 times.
    private static func checksum(_ head: [UInt8], _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(keyedHash(head + bytes, key: key, byteCount: 16)[..<8])
    }

    private static func littleEndian<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }
}
