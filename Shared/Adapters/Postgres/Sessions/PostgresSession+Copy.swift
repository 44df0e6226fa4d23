import CPostgres

/// The rows for a COPY IN: lines of the text format, or rows of the binary format.
public struct PostgresCopyBuffer {
    private var writer = PostgresBinaryWriter()

    /// Appends bytes in the format that the COPY statement named.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        writer.bytes.append(contentsOf: bytes)
    }

    /// Appends one row of the binary format. The values must have the types of the columns.
    public mutating func appendRow(_ values: PostgresValue...) throws(PostgresError) {
        try appendRow(values)
    }

    public mutating func appendRow(_ values: [PostgresValue]) throws(PostgresError) {
        writer.append(Int16(values.count))
        for value in values { try writer.appendField(value) }
    }

    /// Begins a row of the binary format. As many calls of `appendField` follow.
    public mutating func beginRow(fields: Int) { writer.append(Int16(fields)) }

    /// Appends an integer of the column's width, or null.
    public mutating func appendField<Number: FixedWidthInteger>(_ number: Number?) {
        guard let number else { return writer.append(Int32(-1)) }
        writer.append(Int32(MemoryLayout<Number>.size))
        writer.append(number)
    }

    /// Appends a `timestamptz`.
    public mutating func appendField(microseconds: Int64) throws(PostgresError) {
        writer.append(Int32(8))
        try writer.append(.timestamp(microseconds: microseconds))
    }

    /// Appends a `uuid`.
    public mutating func appendField(high: UInt64, low: UInt64) {
        writer.append(Int32(16))
        writer.append(high)
        writer.append(low)
    }

    /// Appends a `bytea` of a few bytes.
    public mutating func appendField(bytes: [UInt8]) {
        writer.append(Int32(truncatingIfNeeded: bytes.count))
        writer.bytes.append(contentsOf: bytes)
    }

    public var byteCount: Int { writer.bytes.count }

    /// Appends the signature, flags and length of the header extension (manual, COPY, "Binary
    /// Format").
    mutating func appendBinaryHead() {
        append([0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0])
        writer.append(Int32(0))
        writer.append(Int32(0))
    }
    mutating func appendBinaryEnd() { writer.append(Int16(-1)) }

    mutating func removeAll() { writer.bytes.removeAll(keepingCapacity: true) }
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        writer.bytes.withUnsafeBytes(body)
    }
}

public enum PostgresCopyFormat: Sendable { case text, binary }

extension PostgresSession {
    /// Streams rows into a table: `sql` is `COPY table (columns) FROM STDIN`, without the format.
    /// `fill` appends some rows to the buffer (about 64 kB) and returns whether more will come. An
    /// error of `fill` cancels the COPY. Returns the number of rows.
    @discardableResult
    public func copyIn(
        _ sql: String, format: PostgresCopyFormat = .binary,
        fill: (inout PostgresCopyBuffer) throws -> Bool
    ) throws -> Int {
        try startCopy(sql + (format == .binary ? " (FORMAT binary)" : ""), PGRES_COPY_IN)
        var buffer = PostgresCopyBuffer()
        if format == .binary { buffer.appendBinaryHead() }
        do {
            var more = true
            while more {
                more = try fill(&buffer)
                if !more, format == .binary { buffer.appendBinaryEnd() }
                try put(buffer)
                buffer.removeAll()
            }
        } catch let error as PostgresError where error.isConnectionLost {
            throw error
        } catch {
            try endCopy(failure: "cancelled by the sender")
            _ = try? finishCopy()
            throw error
        }
        try endCopy(failure: nil)
        return try finishCopy()
    }

    /// Streams rows out: `sql` is `COPY ... TO STDOUT` with any options. `receive` gets one row at
    /// a time, valid only during the call. An error of `receive` closes the connection, since
    /// nothing else stops the server.
    public func copyOut(
        _ sql: String, receive: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try startCopy(sql, PGRES_COPY_OUT)
        while true {
            var row: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(connection, &row, 1)
            defer { PQfreemem(row) }
            if length > 0 {
                do {
                    try receive(UnsafeRawBufferPointer(start: row, count: Int(length)))
                } catch {
                    isBroken = true
                    throw error
                }
            } else if length == 0 {
                try waitForServer(toWrite: false, until: deadline())
                guard PQconsumeInput(connection) == 1 else { throw lost() }
            } else {
                break
            }
        }
        _ = try finishCopy()
    }

    private func startCopy(_ sql: String, _ wanted: ExecStatusType) throws(PostgresError) {
        try begin()
        guard PQsendQuery(connection, sql) == 1 else { throw lost() }
        guard let result = try nextResult(until: deadline()) else { throw lost() }
        defer { PQclear(result) }
        if PQresultStatus(result) == wanted { return }
        let failure = error(in: result)
        while let extra = try nextResult(until: deadline()) { PQclear(extra) }
        throw failure ?? .misuse("not a COPY in this direction: \(sql)")
    }

    private func put(_ buffer: PostgresCopyBuffer) throws(PostgresError) {
        while true {
            guard let count = Int32(exactly: buffer.byteCount) else {
                throw .misuse("a COPY was given over 2 GB at once")
            }
            let sent = buffer.withUnsafeBytes { bytes in
                PQputCopyData(
                    connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    count)
            }
            guard sent >= 0 else { throw lost() }
            if sent == 1 { return try flush() }
            try waitForServer(toWrite: true, until: deadline())
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    /// Waits until the server has taken what was put. Else libpq would collect a whole COPY in its
    /// buffer where the server is slower than we are.
    private func flush() throws(PostgresError) {
        while true {
            let left = PQflush(connection)
            guard left >= 0 else { throw lost() }
            if left == 0 { return }
            try waitForServer(toWrite: true, until: deadline())
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    private func endCopy(failure: String?) throws(PostgresError) {
        while true {
            let sent = PQputCopyEnd(connection, failure)
            guard sent >= 0 else { throw lost() }
            if sent == 1 { return }
            try waitForServer(toWrite: true, until: deadline())
        }
    }

    private func finishCopy() throws(PostgresError) -> Int {
        var rows = 0
        var failure: PostgresError?
        while let result = try nextResult(until: deadline()) {
            defer { PQclear(result) }
            if let error = error(in: result) { failure = failure ?? error }
            rows = Int(String(cString: PQcmdTuples(result))) ?? rows
        }
        if let failure { throw failure }
        return rows
    }
}
