import Foundation
import TestSupport
import Testing

/// All suites that run the built programs, one after the other: they share the machine.
@Suite("The built programs", .serialized) struct IntegrationTests {}

extension IntegrationTests {
    @Suite("From radio to room") struct PipelineTests {
        static let noKafka: Comment =
            "no real Kafka: neither KAFKA_BOOTSTRAP_SERVERS nor ../shared/kafka"

        @Test("One process on PostgreSQL takes scans in and gives positions out")
        func togetherOnPostgres() async throws {
            try await run(.postgres, .together)
        }

        @Test("Separate processes on PostgreSQL do the same, each serving its own paths only")
        func apartOnPostgres() async throws {
            try await run(.postgres, .apart)
        }

        @Test(
            "Separate processes on a real Kafka do the same",
            .enabled(if: RealKafka.isInstalled, noKafka))
        func apartOnKafka() async throws {
            try await run(.kafka, .apart)
        }

        @Test(
            "One process on a real Kafka does the same, and Kafka's own tools read it",
            .enabled(if: RealKafka.isInstalled, noKafka))
        func togetherOnKafka() async throws {
            try await run(.kafka, .together)
        }

        private func run(_ log: Campus.Log, _ shape: Campus.Shape) async throws {
            // A broker of its own: radio maps that another campus announced are not in this database.
            let kafka = log == .kafka ? RealKafka.start() : nil
            defer { kafka?.stop() }
            try #require(log == .postgres || kafka != nil, "the brokers did not start")
            // Replayed faster than life, nobody stays anywhere for seconds.
            let campus = try await Campus(
                log, shape, settings: ["WHEREABOUTS_VISIT_DWELL": "0s"], kafka: kafka,
                programs: Programs.before)
            do {
                let scenario = try await PipelineScenario(campus)
                try await scenario.locatesEveryScanOnce()
                if Programs.before != nil { try await campus.handOver() }
                try await scenario.handsPositionsOut()
                try await scenario.tellsVisits()
                try await scenario.explainsPositions()
                try await scenario.relocates()
                try await scenario.streamResumes()
                try await scenario.locatesWithoutStoring()
                try await scenario.exportsAndRebuilds()
                try await scenario.tokensSpeakForTheirDevices()
                try await scenario.setsAsideWhatCannotBeRead()
                if shape == .apart { try await scenario.eachServesItsOwn() }
                if log == .kafka { try await scenario.consoleConsumerReads() }
            } catch {
                Issue.record("\(error)\n\(campus.messages.suffix(4_000))")
            }
            for (name, status) in campus.stop() {
                #expect(status == 0, "\(name) did not stop in good order")
            }
        }
    }
}
