import EventLog
import Wire

extension EventLog {
    /// A reader of the records that are appended to a topic from now on, and the number of its
    /// partitions.
    func newRecords(of topic: Topic) async throws -> (reader: any LogReader, partitions: Int) {
        let ends = try await bounds(of: topic.name).map(\.end)
        let start = ends.enumerated().map { (TopicPartition(topic.name, $0.offset), $0.element) }
        return (try await reader(from: Dictionary(uniqueKeysWithValues: start)), ends.count)
    }
}
