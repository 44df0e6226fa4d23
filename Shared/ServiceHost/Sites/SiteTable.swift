import EventLog
import Events
import Retrying
import Site
import Wire

/// All published sites in memory. It reads the announcements on the topic `site`, then the document
/// of each site's newest version. While a newer document is not complete, the version before
/// stays.
struct SiteTable: Sendable {
    /// The number of records read at once. Earlier releases wrote records of up to 8 MB.
    private static let batch = 16
    /// How long the start waits for documents whose pieces are missing. After that the other sites
    /// are served without them.
    private static let patience = Duration.seconds(5)

    let log: any EventLog
    /// Called with each new value. The first call comes when the end of the log has been reached.
    let onChange: @Sendable (SiteCollection) -> Void
    let notices: Notices

    /// Reads until the task is cancelled.
    func run() async {
        await attemptUntilDone("Reading \(Topic.site.name)", notices: notices) { retry in
            try await follow(&retry)
        }
    }

    private func follow(_ retry: inout Retry) async throws {
        var collection = SiteCollection(log: log, notices: notices)
        let ranges = try await log.ranges(of: [Topic.site.name])
        try await log.readRange(ranges, batchLimit: Self.batch) { collection.note($0) }
        retry.ended()
        let reader = try await log.reader(from: ranges.mapValues(\.upperBound))
        do {
            let deadline = ContinuousClock.now + Self.patience
            var isPublished = false
            while !Task.isCancelled {
                let hasChanged = try await collection.collect()
                if isPublished ? hasChanged : collection.isWhole || .now >= deadline {
                    onChange(collection)
                    isPublished = true
                }
                collection.note(try await reader.next(maximum: Self.batch, wait: collection.pause))
                retry.ended()
            }
        } catch {
            collection.forgetWaits()
            await reader.close()
            throw error
        }
        collection.forgetWaits()
        await reader.close()
    }

    /// The sites that are published now, read once.
    static func sites(
        in log: any EventLog, notices: Notices
    ) async throws -> [SiteID: PublishedSite] {
        var collection = SiteCollection(log: log, notices: notices)
        let deadline = ContinuousClock.now + patience
        while true {
            let ranges = try await log.ranges(of: [Topic.site.name])
            try await log.readRange(ranges, batchLimit: batch) { collection.note($0) }
            _ = try await collection.collect()
            if collection.isWhole || .now >= deadline { return collection.sites }
            try await Task.sleep(for: collection.pause)
        }
    }
}
