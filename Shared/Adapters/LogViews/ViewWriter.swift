import EventLog
import FaultPoints
import Postgres

/// Writes records into a view, inside a transaction, and sets aside those that the database
/// refuses.
struct ViewWriter: Sendable {
    /// The code for a record that the database refuses.
    static let notStorable = "not-storable"

    let view: any View
    let schema: String
    let log: any EventLog
    let deadLetters: DeadLetters

    /// Runs the body in a transaction. If a record is at fault, it runs the body again to find that
    /// record. Without a fault this costs nothing.
    func inTransaction<Value: Sendable>(
        _ pool: PostgresPool,
        _ body: @Sendable (isolated PostgresConnection, _ isSearching: Bool) async throws -> Value
    ) async throws -> Value {
        do {
            return try await attempt(pool) { try await body($0, false) }
        } catch {
            guard FaultCause(error) == .record, !PlantedMistake.zeroBytesInSSIDs.isPlanted else {
                throw error
            }
            return try await attempt(pool) { try await body($0, true) }
        }
    }

    private func attempt<Value: Sendable>(
        _ pool: PostgresPool,
        _ body: @Sendable (isolated PostgresConnection) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await pool.withTransaction(waitingForDisk: false, body)
            view.ended(schema: schema, committed: true)
            return value
        } catch {
            view.ended(schema: schema, committed: false)
            throw error
        }
    }

    /// Writes the records and returns those to be set aside.
    ///
    /// - Parameter isSearching: whether to find the records that the database refuses, by halving
    ///   the batch.
    func write(
        _ records: [StoredRecord], isSearching: Bool, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        guard isSearching, !records.isEmpty else {
            return try await view.apply(records, schema: schema, connection: connection)
        }
        try connection.execute(script: "SAVEPOINT records")
        do {
            let faults = try await view.apply(records, schema: schema, connection: connection)
            try connection.execute(script: "RELEASE SAVEPOINT records")
            return faults
        } catch {
            guard FaultCause(error) == .record else { throw error }
            try connection.execute(
                script: "ROLLBACK TO SAVEPOINT records; RELEASE SAVEPOINT records")
            if records.count == 1 {
                return [SetAside(records[0], code: Self.notStorable, detail: "\(error)")]
            }
            let middle = records.count / 2
            let first = try await write(
                Array(records[..<middle]), isSearching: true, connection: connection)
            return try await first
                + write(Array(records[middle...]), isSearching: true, connection: connection)
        }
    }

    /// Appends the dead letters, at least once, since the same record always gets the same id. Then
    /// notes them beside the rows.
    func setAside(
        _ faults: [SetAside], connection: isolated PostgresConnection
    ) async throws {
        guard !faults.isEmpty else { return }
        try await log.append(faults.map(deadLetters.letter))
        try ViewMemory.setAside(faults, schema: schema, connection: connection)
    }
}
