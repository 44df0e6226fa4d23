import EventLog
import Events
import Site
import Wire

/// Finds documents of sites on the topic `site-documents`. Pieces lie shortly before their
/// announcement, so it begins there, and the length of the topic does not matter.
struct SiteDocumentSearch {
    struct Wanted {
        var announced: SiteAnnounced
        /// When the announcement was appended, microseconds since 1970.
        var appendedAtMicroseconds: Int64
    }

    /// The number of pieces read at once.
    private static let batch = 4
    /// How much the clocks of site-editor and the log may differ. With more, the search takes
    /// longer.
    private static let clockDifference: Int64 = 60_000_000
    private static let topic = Topic.siteDocuments.name

    let log: any EventLog

    /// Calls the body with each document that is complete, as soon as it is.
    func find(
        _ wanted: [Wanted], _ body: (SiteDocumentAssembly) -> Void
    ) async throws {
        guard
            let earliest = wanted.map({
                min($0.announced.publishedAt.microseconds, $0.appendedAtMicroseconds)
            }).min()
        else { return }
        var assemblies = wanted.map { SiteDocumentAssembly($0.announced) }
        let bounds = try await log.bounds(of: Self.topic)
        let ends = try await log.readableEnds(of: Self.topic)
        let likely = try await log.offsets(
            of: Self.topic, atMicroseconds: max(0, earliest - Self.clockDifference))
        let first = bounds.map(\.start)
        // Pieces are before the likely start only if the clocks differ more.
        for starts in [likely, first] where !assemblies.isEmpty {
            var ranges: [TopicPartition: Range<Int64>] = [:]
            let keys = assemblies.flatMap { Array($0.keys) }
            for place in Set(keys.map { partition(forKey: $0, of: ends.count) }) {
                let start = max(first[place], min(starts[place], ends[place]))
                if start < ends[place] {
                    ranges[TopicPartition(Self.topic, place)] = start..<ends[place]
                }
            }
            try await read(ranges, &assemblies, body)
        }
    }

    /// Reads the ranges, up to the last missing piece at most.
    private func read(
        _ ranges: [TopicPartition: Range<Int64>], _ assemblies: inout [SiteDocumentAssembly],
        _ body: (SiteDocumentAssembly) -> Void
    ) async throws {
        guard !ranges.isEmpty else { return }
        let reader = try await log.reader(from: ranges.mapValues(\.lowerBound))
        do {
            var isBefore = true
            while isBefore, !assemblies.isEmpty {
                try Task.checkCancellation()
                for record in try await reader.next(
                    maximum: Self.batch, wait: .milliseconds(20))
                {
                    for index in assemblies.indices { assemblies[index].add(record) }
                }
                for assembly in assemblies where assembly.isWhole { body(assembly) }
                assemblies.removeAll { $0.isWhole }
                let positions = try await reader.positions()
                isBefore = ranges.contains { (positions[$0.key] ?? 0) < $0.value.upperBound }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
