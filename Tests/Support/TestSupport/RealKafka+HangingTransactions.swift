import Foundation

extension RealKafka {
    /// Finds transactions that a broker's crash left open for ever, and aborts them with Kafka's
    /// own tool, as decision 0006 tells an operator to do.
    ///
    /// - Returns: what was aborted, a line each; empty where nothing hung.
    public func abortHangingTransactions() throws -> [String] {
        let found = try runTransactionsTool([
            "find-hanging", "--broker-id", "1", "--max-transaction-timeout", "0",
        ])
        // Topic, partition, producer, its epoch, the coordinator's, start offset, last time,
        // minutes.
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

    /// Aborts what is open on a partition, whatever its coordinator knows of it: step 5 of the
    /// decision.
    ///
    /// - Parameter producer: whose transaction; nil for anybody's.
    /// - Returns: the producer's id; nil where nothing of it was open.
    public func abortTransaction(
        on topic: String, partition: Int, of producer: String? = nil
    ) throws -> String? {
        let place = ["--topic", topic, "--partition", "\(partition)"]
        let found = try runTransactionsTool(["describe-producers"] + place)
        // Producer, its epoch, the coordinator's, last sequence, last time, start offset.
        let row = found.split(separator: "\n").map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }.first { $0.count >= 6 && Int($0[5]) != nil && $0[0] == producer ?? $0[0] }
        guard let row else { return nil }
        _ = try runTransactionsTool(["abort"] + place + ["--start-offset", row[5]])
        return row[0]
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
