/// Brings a schema up to date: ordered, named steps, each applied once.
///
/// The names of the applied steps stand in `public.migrations`, per schema. Processes that start
/// at the same time take turns under an advisory lock. A database that knows a step which the
/// program does not is newer than the program, and is refused.
public struct Migrator: Sendable {
    public struct Step: Sendable {
        public var name: String
        public var sql: String

        public init(_ name: String, _ sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    public var schema: String
    public var steps: [Step]

    public init(schema: String, steps: [Step]) {
        precondition(Set(steps.map(\.name)).count == steps.count)
        self.schema = schema
        self.steps = steps
    }

    /// Makes the table of what was applied.
    public static let table = """
        CREATE TABLE IF NOT EXISTS public.migrations (
            schema_name text NOT NULL, position int NOT NULL, name text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (schema_name, position))
        """

    /// Applies what is missing, all or nothing. Returns the names of the steps that it applied.
    @discardableResult
    public func migrate(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.withTransaction { connection in
            try connection.query("SELECT pg_advisory_xact_lock($1)", [.int64(Self.lock)])
            // Asked first: who may not make it may still use it.
            let known = try connection.query(
                "SELECT to_regclass('public.migrations') IS NOT NULL AS known")
            let isKnown: Bool = try known[0]["known"]
            if !isKnown { try connection.execute(script: Self.table) }
            let applied: [String] = try connection.query(
                "SELECT name FROM public.migrations WHERE schema_name = $1 ORDER BY position",
                [.text(schema)]
            ).map { try $0["name"] }
            try check(applied)
            let missing = steps.dropFirst(applied.count)
            for (position, step) in zip(applied.count..., missing) {
                try connection.execute(script: step.sql)
                try connection.query(
                    "INSERT INTO public.migrations VALUES ($1, $2, $3)",
                    [.text(schema), .int(position), .text(step.name)])
            }
            return missing.map(\.name)
        }
    }

    private func check(_ applied: [String]) throws(PostgresError) {
        for (position, name) in applied.enumerated() {
            guard position < steps.count else {
                throw .misuse("schema \(schema) is newer than this program: it has step \(name)")
            }
            guard steps[position].name == name else {
                throw .misuse(
                    "schema \(schema) has step \(name) where this program has "
                        + steps[position].name)
            }
        }
    }

    /// Any number will do that nobody else uses.
    private static let lock: Int64 = 0x5748_4552_4541_4201
}
