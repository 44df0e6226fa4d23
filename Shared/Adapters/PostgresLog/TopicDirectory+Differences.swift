import EventLog
import Postgres

extension TopicDirectory {
    /// The changes that `create_topic` would make. It reads the table as it is, so the schema may
    /// be an older one, or missing.
    static func differences(
        from topics: [TopicSpecification], _ pool: PostgresPool
    ) async throws -> [TopicDifference] {
        let isThere: Bool = try await pool.query(
            "SELECT to_regclass('log.topics') IS NOT NULL AS is_there")[0]["is_there"]
        guard isThere else { return topics.map { TopicDifference($0.name, .missing) } }
        let rows = try await pool.query(
            "SELECT name, partitions, cleanup, retention_microseconds FROM log.topics")
        var present: [String: (partitions: Int, cleanup: String, retention: Int64?)] = [:]
        for row in rows {
            present[try row["name"]] = (
                try row["partitions"], try row["cleanup"], try row["retention_microseconds"]
            )
        }
        return topics.flatMap { topic -> [TopicDifference] in
            guard let found = present[topic.name] else {
                return [TopicDifference(topic.name, .missing)]
            }
            var kinds: [TopicDifference.Kind] = []
            if found.partitions != topic.partitions {
                kinds.append(.partitions(present: found.partitions, wanted: topic.partitions))
            }
            if found.cleanup != topic.cleanupName {
                kinds.append(
                    .setting(name: "cleanup", present: found.cleanup, wanted: topic.cleanupName))
            }
            if found.retention != topic.retentionMicroseconds {
                kinds.append(
                    .setting(
                        name: "retention", present: text(found.retention),
                        wanted: text(topic.retentionMicroseconds)))
            }
            return kinds.map { TopicDifference(topic.name, $0) }
        }
    }

    private static func text(_ microseconds: Int64?) -> String {
        microseconds.map { "\($0 / 1_000_000) s" } ?? "for ever"
    }
}
