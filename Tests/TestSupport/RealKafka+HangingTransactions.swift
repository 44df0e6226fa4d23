import Foundation

extension RealKafka {
    /// Finds transactions that a broker's crash left open for ever, and aborts them with Kafka's own
    /// tool, as decision 0006 tells an operator to do.
    ///
    /// - Returns: what was aborted, a line each; empty where nothing hung.
    public func abortHangingTransactions() throws -> [String] {
        let found = try runTransactionsTool([
            "find-hanging", "--broker-id", "1", "--max-transaction-timeout", "0",
        ])
        // Topic, partition, producer, its epoch, the coordinator's, start offset, last time, minutes.
        let rows = found.split(separator: "\n").map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }.filter { $0.count >= 6 && Int($0[1]) != nil && Int($0[5]) != nil }
        for row in rows {
            _ = try runTransactionsTool([
                "abort", "--topic", row[0], "--partition", row[1], "--start-offset", row[5],
            ])
        }
        return rows.map { $0.joined(separator: " ") }
    }

    private func runTransactionsTool(_ arguments: [String]) throws -> String {
        guard let jars = Self.programs?.appendingPathComponent("jars/*").path else { return "" }
        return try runProgram(
            [
                "java", "-cp", jars, "org.apache.kafka.tools.TransactionsCommand",
                "--bootstrap-server", bootstrapServers,
            ] + arguments)
    }
}
