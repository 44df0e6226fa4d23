import CPostgres
import Foundation

extension PostgresSession {
    private enum Sent {
        case preparation(PreparedStatements.Key, String)
        case statement
        case synchronization
    }

    func run(
        _ statements: [PostgresStatement], beforeEnd: (() -> Void)? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        // Statements that can't be sent are refused before any of them is sent.
        var parameters: [EncodedParameters] = []
        parameters.reserveCapacity(statements.count)
        for statement in statements {
            parameters.append(try EncodedParameters(statement.parameters))
        }
        if parameters.contains(where: { $0.byteCount > Self.largestKeptBytes }) { isSmall = false }
        try begin()
        guard PQenterPipelineMode(connection) == 1 else { throw lost() }
        var sent: [Sent] = []
        // A text that occurs twice in a pipeline is prepared only once.
        var underWay: [PreparedStatements.Key: String] = [:]
        for (statement, parameters) in zip(statements, parameters) {
            try send(statement, parameters, &sent, &underWay)
        }
        if let beforeEnd {
            // libpq would hold small statements back until the end, but these must be sent now.
            guard PQflush(connection) >= 0 else { throw lost() }
            beforeEnd()
        }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        sent.append(.synchronization)
        let (rows, superfluous, failure) = try collect(sent)
        guard PQexitPipelineMode(connection) == 1 else { throw lost() }
        if let failure { throw failure }
        for name in superfluous { try execute(script: "DEALLOCATE \(name)") }
        return rows
    }

    private func send(
        _ statement: PostgresStatement, _ parameters: EncodedParameters, _ sent: inout [Sent],
        _ underWay: inout [PreparedStatements.Key: String]
    ) throws(PostgresError) {
        guard statement.caching else {
            guard
                parameters.send({
                    PQsendQueryParams(connection, statement.sql, $0, $1, $2, $3, $4, 1)
                })
            else { throw lost() }
            return sent.append(.statement)
        }
        let key = PreparedStatements.Key(sql: statement.sql, types: parameters.types)
        var name = prepared.name(for: key) ?? underWay[key]
        if name == nil {
            let new = prepared.newName()
            let count = Int32(parameters.types.count)
            guard PQsendPrepare(connection, new, statement.sql, count, parameters.types) == 1 else {
                throw lost()
            }
            sent.append(.preparation(key, new))
            underWay[key] = new
            name = new
        }
        guard let name,
            parameters.send({ PQsendQueryPrepared(connection, name, $0, $2, $3, $4, 1) })
        else { throw lost() }
        sent.append(.statement)
    }

    /// Reads the results in the order of the statements. The first failure aborts the later ones.
    private func collect(
        _ sent: [Sent]
    ) throws(PostgresError) -> (
        rows: [PostgresRows], superfluous: [String], failure: PostgresError?
    ) {
        let deadline = deadline()
        var rows: [PostgresRows] = []
        var failure: PostgresError?
        var superfluous: [String] = []
        for item in sent {
            guard let result = try nextResult(until: deadline) else { throw lost() }
            if let error = error(in: result) {
                PQclear(result)
                if error.isConnectionLost { throw error }
                if error.sqlState != Self.abortedState { failure = failure ?? error }
            } else if case .statement = item {
                note(result)
                rows.append(PostgresRows(owning: result))
            } else {
                PQclear(result)
                if case .preparation(let key, let name) = item,
                    let removed = prepared.insert(key, name: name)
                {
                    superfluous.append(removed)
                }
            }
            if case .synchronization = item { continue }
            // A null result ends each statement's results.
            while let extra = try nextResult(until: deadline) { PQclear(extra) }
        }
        return (rows, superfluous, failure)
    }

    /// Notes the size of each row, because a row is one message.
    private func note(_ result: OpaquePointer) {
        guard isSmall, PQresultMemorySize(result) > Self.largestKeptBytes else { return }
        for row in 0..<PQntuples(result) {
            var bytes = 0
            for column in 0..<PQnfields(result) { bytes += Int(PQgetlength(result, row, column)) }
            if bytes > Self.largestKeptBytes { isSmall = false }
        }
    }

    /// The state of a statement that was skipped after a failure: libpq's `PGRES_PIPELINE_ABORTED`.
    static let abortedState = "aborted"

    func error(in result: OpaquePointer) -> PostgresError? {
        let status = PQresultStatus(result)
        if status == PGRES_PIPELINE_ABORTED {
            return PostgresError(sqlState: Self.abortedState, reason: "skipped after a failure")
        }
        guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        if PQstatus(connection) != CONNECTION_OK || state == nil || Self.isFatal(result) {
            isBroken = true
            return PostgresError(
                sqlState: state ?? "08006", reason: connectionMessage, isConnectionLost: true)
        }
        let reason = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map {
            String(cString: $0)
        }
        let failure = PostgresError(sqlState: state ?? "", reason: reason ?? connectionMessage)
        if failure.isStorageFull { configuration.storage?.note() }
        // The session ends here, since a new one may reach a server that accepts writes.
        if failure.isReadOnly { isBroken = true }
        return failure
    }
}

/// Parameters in libpq's form: values in one buffer, and arrays of types, pointers, lengths and
/// formats.
struct EncodedParameters {
    /// The protocol's limit: it counts parameters in 16 bits.
    private static let mostParameters = 65_535

    let types: [UInt32]
    private var buffer = PostgresBinaryWriter()
    private var ranges: [Range<Int>?] = []
    private var formats: [Int32] = []

    /// - Throws: the server's own error for too many or too large parameters.
    init(_ values: [PostgresValue]) throws(PostgresError) {
        guard values.count <= Self.mostParameters else {
            throw PostgresError(sqlState: "54000", reason: "a statement has over 65,535 parameters")
        }
        types = values.map(\.type)
        ranges.reserveCapacity(values.count)
        formats.reserveCapacity(values.count)
        // This many bytes are enough for most statements.
        buffer.bytes.reserveCapacity(1_024)
        for value in values {
            let start = buffer.bytes.count
            try buffer.append(value)
            // libpq expects text to end in a zero byte.
            let end = buffer.bytes.count
            guard end - start <= Int32.max else {
                throw PostgresError(sqlState: "54000", reason: "a value has over 2 GB")
            }
            if !value.isBinary { buffer.append(UInt8(0)) }
            ranges.append(value == .null ? nil : start..<end)
            formats.append(value.isBinary ? 1 : 0)
        }
        // One more byte, so that the buffer always has an address.
        buffer.append(UInt8(0))
    }

    var byteCount: Int { buffer.bytes.count }

    typealias Send = (
        Int32, [UInt32], [UnsafePointer<CChar>?], [Int32], [Int32]
    ) -> Int32

    /// Sends the statement. libpq copies the values, so the pointers are valid only during the
    /// call.
    func send(_ body: Send) -> Bool {
        buffer.bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = ranges.map { range in range.flatMap { base?.advanced(by: $0.lowerBound) }
            }
            let lengths = ranges.map { Int32($0?.count ?? 0) }
            return body(Int32(ranges.count), types, pointers, lengths, formats) == 1
        }
    }
}
