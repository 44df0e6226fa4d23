public import EventLog

/// Records of the log as bytes, for the files of a backup.
///
/// Little-endian: 32-bit partition, 64-bit offset, 64-bit time of the append in microseconds, and
/// the 32-bit lengths of key, value and headers (-1 for none). Their bytes follow.
public enum BackupRecordCodec {
    public static func append(_ record: StoredRecord, to bytes: inout [UInt8]) {
        func put(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        put(Int32(clamping: record.partition))
        put(record.offset)
        put(record.appendedAtMicroseconds)
        put(Int32(record.key?.count ?? -1))
        put(Int32(record.value?.count ?? -1))
        put(Int32(record.headers.encoded.count))
        bytes += record.key ?? []
        bytes += record.value ?? []
        bytes += record.headers.encoded
    }

    /// Reads the records of a file. A file has whole records only.
    public static func records(_ bytes: [UInt8], topic: String) throws(BinaryFault)
        -> [StoredRecord]
    {
        var reader = BinaryReader(bytes)
        var records: [StoredRecord] = []
        while reader.left > 0 {
            let partition = Int(try reader.read(Int32.self))
            let offset = try reader.read(Int64.self)
            let appendedAt = try reader.read(Int64.self)
            let lengths = (
                try reader.read(Int32.self), try reader.read(Int32.self),
                try reader.read(Int32.self)
            )
            let key = try part(lengths.0, &reader)
            let value = try part(lengths.1, &reader)
            guard partition >= 0, offset >= 0, let encoded = try part(lengths.2, &reader),
                let headers = LogHeaders(encoded: encoded)
            else { throw .inconsistent("a record") }
            records.append(
                StoredRecord(
                    topic: topic, partition: partition, offset: offset,
                    appendedAtMicroseconds: appendedAt, key: key, value: value, headers: headers))
        }
        return records
    }

    private static func part(
        _ length: Int32, _ reader: inout BinaryReader
    ) throws(BinaryFault) -> [UInt8]? {
        length < 0 ? nil : Array(try reader.readRaw(Int(length)))
    }
}
