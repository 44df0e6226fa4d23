public import EventLog
public import Postgres

/// Puts a record that was set aside into its view, once the cause is gone.
public struct ViewPutBack: Sendable {
    public enum Outcome: Sendable {
        case putBack
        /// The view has not set the record aside, or already has it back. Nothing was changed.
        case notMissing
        /// The view still can't use the record. Nothing was changed.
        case refused(SetAside)
    }

    private struct StillAtFault: Error {
        var fault: SetAside
    }

    private let view: any View
    private let pool: PostgresPool

    public init(_ view: any View, pool: PostgresPool) {
        self.view = view
        self.pool = pool
    }

    /// Writes the record exactly once: its rows and the note that it is back are one transaction.
    public func apply(_ record: StoredRecord) async throws -> Outcome {
        do {
            let outcome: Outcome = try await pool.withTransaction { [view] connection in
                try ViewMemory.prepare(schema: view.schema, connection: connection)
                guard
                    try ViewMemory.putBack(record, schema: view.schema, connection: connection)
                else { return .notMissing }
                let faults = try await view.apply(
                    [record], schema: view.schema, connection: connection)
                if let fault = faults.first { throw StillAtFault(fault: fault) }
                return .putBack
            }
            view.ended(schema: view.schema, committed: true)
            return outcome
        } catch let still as StillAtFault {
            view.ended(schema: view.schema, committed: false)
            return .refused(still.fault)
        } catch {
            view.ended(schema: view.schema, committed: false)
            guard FaultCause(error) == .record else { throw error }
            return .refused(SetAside(record, code: ViewWriter.notStorable, detail: "\(error)"))
        }
    }
}
