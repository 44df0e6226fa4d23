import Postgres
import Retrying
import Wire

/// Passes over rows that can't be read: a later release wrote them, or they are damaged. The
/// operator hears of each table once a day.
struct UnreadRows: Sendable {
    private let notices: Notices
    private let told = Occasional<String>(1, per: .seconds(86_400))

    init(_ notices: Notices) { self.notices = notices }

    /// The values of the rows that can be read.
    func passingOver<Value>(
        in table: String, _ rows: PostgresRows, _ read: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        for row in rows {
            do {
                values.append(try read(row))
            } catch let fault as WireFault {
                guard case .admit = told.decide(table) else { continue }
                notices.onUnexpected(
                    "Rows of \(table) can't be read, and are passed over. The first: \(fault)")
            }
        }
        return values
    }
}
