public import EventLog
import Positioners
public import ServiceRuntime
import Wire

extension Host {
    /// Makes all topics, and gives them the settings from the environment. On brokers with access
    /// control, services may not do this, so an operator's program calls it. It waits for brokers
    /// that are just starting.
    ///
    /// - Parameter settings: the settings of the services, with those of the positioners.
    /// - Returns: the names of the topics.
    public static func makeTopics(
        environment: [String: String], settings: [Setting]
    ) async throws -> [String] {
        let context = try context(environment, "whereabouts topics", settings)
        let topics =
            try topicSpecifications(context.configuration)
            + positionsBeside(context.configuration)
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
        let beside = try PositionerSettings(configuration).options.dropFirst()
        return try await log.differences(
            from: topics + topicsOfPositions(beside.map { Topic.positions(of: $0.name) }))
    }

    /// The topics for positioners beside the served one, with the settings of `positions`.
    public func topicsOfPositions(_ names: [String]) -> [TopicSpecification] {
        Self.topicsOfPositions(names, configuration)
    }

    /// All topics of this installation, with the settings of the configuration.
    public func allTopics() throws -> [TopicSpecification] { try topics + positionsBeside() }

    /// The topics of the positioners beside the served one.
    public func positionsBeside() throws -> [TopicSpecification] {
        try Self.positionsBeside(configuration)
    }

    private static func positionsBeside(
        _ configuration: Configuration
    ) throws -> [TopicSpecification] {
        let beside = try PositionerSettings(configuration).options.dropFirst()
        return topicsOfPositions(beside.map { Topic.positions(of: $0.name) }, configuration)
    }

    private static func topicsOfPositions(
        _ names: [String], _ configuration: Configuration
    ) -> [TopicSpecification] {
        let days = retentionDays(of: .positions, configuration)
        return names.map { name in
            TopicSpecification(
                name: name, partitions: configuration.integer("WHEREABOUTS_PARTITIONS"),
                cleanup: .delete(after: .seconds(days * 86_400)))
        }
    }
}
