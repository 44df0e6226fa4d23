import CPostgres

/// The rows that a statement returned, read-only.
///
/// Safe to send: libpq's manual (section 34.20) allows any thread to read a finished result, and
/// nothing else has the pointer.
public final class PostgresRows: RandomAccessCollection, @unchecked Sendable {
    private let result: OpaquePointer
    public let startIndex = 0
    public let endIndex: Int
    public let columnNames: [String]

    init(owning result: OpaquePointer) {
        self.result = result
        endIndex = Int(PQntuples(result))
        columnNames = (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) }
    }

    deinit { PQclear(result) }

    public subscript(position: Int) -> PostgresRow {
        precondition(indices.contains(position))
        return PostgresRow(rows: self, index: Int32(position))
    }

    /// The number of rows that an INSERT, UPDATE, DELETE, COPY or SELECT affected.
    public var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    func decode<Value: PostgresDecodable>(
        row: Int32, column: Int32
    ) throws(PostgresError) -> Value {
        let type = UInt32(PQftype(result, column))
        guard PQgetisnull(result, row, column) == 0 else {
            return try Value.decode(nil, type: type)
        }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return try Value.decode(bytes, type: type)
    }

    func column(_ name: String) throws(PostgresError) -> Int32 {
        guard let index = columnNames.firstIndex(of: name) else {
            throw .misuse("the result has no column \(name)")
        }
        return Int32(index)
    }
}

/// One row. Columns are read by name or by number from 0.
public struct PostgresRow: Sendable {
    let rows: PostgresRows
    let index: Int32

    public subscript<Value: PostgresDecodable>(column: String) -> Value {
        get throws(PostgresError) {
            try rows.decode(row: index, column: try rows.column(column))
        }
    }

    public subscript<Value: PostgresDecodable>(column: Int) -> Value {
        get throws(PostgresError) {
            precondition(rows.columnNames.indices.contains(column))
            return try rows.decode(row: index, column: Int32(column))
        }
    }
}
