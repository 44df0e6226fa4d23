public import EventLog
public import ServiceRuntime
import Wire

extension Host {
    /// Makes all topics, and gives them the settings from the environment. On brokers with access
    /// control, services may not do this, so an operator's program calls it. It waits for brokers
    /// that are just starting.
    ///
    /// - Parameter settings: the settings of the services.
    /// - Returns: the names of the topics.
    public static func makeTopics(
        environment: [String: String], settings: [Setting]
    ) async throws -> [String] {
        let context = try context(environment, "whereabouts topics", settings)
        let topics = topicSpecifications(context.configuration)
        let log = try makeLog(context)
        let deadline = ContinuousClock.now + .seconds(60)
        var isDone = false
        while !isDone {
            do throws(EventLogError) {
                try await log.createTopics(topics)
                isDone = true
            } catch {
                guard error.isRetriable, ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .seconds(1))
            }
        }
        await log.close()
        return topics.map(\.name)
    }

    /// The changes that services would make to the topics at their start. Changes nothing.
    public func topicDifferences() async throws -> [TopicDifference] {
        try await log.differences(from: topics)
    }
}
