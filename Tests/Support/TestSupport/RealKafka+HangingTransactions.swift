import Foundation

extension RealKafka {
    /// Finds transactions that a broker's crash left open and aborts them with Kafka's own tool.
    /// Decision 0006 prescribes this to operators.
    ///
    /// - Returns: one line for each aborted transaction; empty if there were none.
    public func abortHangingTransactions() throws -> [String] {
        let found = try runTransactionsTool([
            "find-hanging", "--broker-id", "1", "--max-transaction-timeout", "0",
        ])
        // The columns: topic, partition, producer, its epoch, the coordinator's epoch, start
        // offset, last time, minutes.
        let rows = Self.rows(of: found).filter { Int($0[1]) != nil && Int($0[5]) != nil }
        for row in rows {
            _ = try runTransactionsTool([
                "abort", "--topic", row[0], "--partition", row[1], "--start-offset", row[5],
            ])
        }
        return rows.map { $0.joined(separator: " ") }
    }

    /// Aborts a partition's open transaction, even if its coordinator does not know it: step 5 of
    /// the decision.
    ///
    /// - Parameter producer: the producer whose transaction it is; nil for any producer.
    ///
    /// - Returns: the producer's id; nil if nothing was open.
    public func abortTransaction(
        on topic: String, partition: Int, of producer: String? = nil
    ) throws -> String? {
        let place = ["--topic", topic, "--partition", "\(partition)"]
        let found = try runTransactionsTool(["describe-producers"] + place)
        // The columns: producer, its epoch, the coordinator's epoch, last sequence, last time,
        // start offset.
        let row = Self.rows(of: found).first { row in
            Int(row[5]) != nil && (producer == nil || row[0] == producer)
        }
        guard let row else { return nil }
        _ = try runTransactionsTool(["abort"] + place + ["--start-offset", row[5]])
        return row[0]
    }

    /// The tool's lines with six columns or more.
    private static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").map { (line: Substring) -> [String] in
            line.split(whereSeparator: \.isWhitespace).map(String.init)
        }.filter { $0.count >= 6 }
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
