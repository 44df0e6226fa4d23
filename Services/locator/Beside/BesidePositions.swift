import EventLog
import Events
import ServiceHost
import Wire

/// Reads the positions of one device by positioners beside the served one. They are kept for a week
/// and seldom read, so no table has them: they come from the log.
struct BesidePositions: Sendable {
    /// The most records that are read for one answer.
    private static let mostRecords: Int64 = 500_000
    /// Records that are read before the next look at the limit.
    private static let chunk: Int64 = 20_000
    /// Clocks of appending processes may differ a little.
    private static let slackMicroseconds: Int64 = 2_000_000

    let log: any EventLog
    let erased: ErasureDirectory

    struct Page: Sendable {
        var positions: [PositionEstimated] = []
        /// The first offset that was not read; nil at the end of the time.
        var next: Int64?
    }

    /// The positions that were located in a time, in the order of the log.
    ///
    /// - Parameters:
    ///   - offset: the first offset to read; nil for the beginning of the time.
    ///   - limit: the most positions.
    func page(
        of device: DeviceKey, from: Timestamp, until: Timestamp, at offset: Int64? = nil,
        limit: Int = .max,
        where isWanted: @Sendable (PositionEstimated) -> Bool = { _ in true }
    ) async throws -> Page {
        let topic = Topic.positionsBeside.name
        let key = RecordKey.bytes(device.site, device.device)
        let number = partition(forKey: key, of: try await log.partitionCount(of: topic))
        let place = TopicPartition(topic, number)
        let held = try await log.ranges(of: [topic])[place] ?? 0..<0
        let start = max(try await self.offset(from, -1, in: place), offset ?? 0, held.lowerBound)
        let end = min(try await self.offset(until, 1, in: place), held.upperBound)
        var page = Page(next: start)
        while let next = page.next, next < end, next - start < Self.mostRecords {
            let last = min(next + Self.chunk, end)
            var stop: Int64?
            try await log.readRange([place: next..<last]) { records in
                for record in records where stop == nil && record.key == key {
                    guard !erased.covers(record),
                        let position = try? PositionEstimated(record: record),
                        from <= position.locatedAt, position.locatedAt < until, isWanted(position)
                    else { continue }
                    page.positions.append(position)
                    if page.positions.count == limit { stop = record.offset + 1 }
                }
            }
            page.next = stop ?? last
            if stop != nil { break }
        }
        if let next = page.next, next >= end { page.next = nil }
        return page
    }

    /// The position that the positioner found beside a served one, for the same scan.
    func position(
        beside served: PositionEstimated, by positioner: String
    ) async throws -> PositionEstimated? {
        // One transaction has both.
        try await page(
            of: DeviceKey(served.site, served.device), from: served.locatedAt.moved(-1),
            until: served.locatedAt.moved(1), limit: 1
        ) { $0.scan == served.scan && $0.positioner == positioner }.positions.first
    }

    /// The scans of the device that were located beside with the same positioner, radio map, site
    /// and choice, up to the position.
    func scans(
        madeAs position: PositionEstimated, since: Timestamp
    ) async throws -> [EventID] {
        try await page(
            of: DeviceKey(position.site, position.device), from: since,
            until: position.locatedAt.moved(1)
        ) { $0.isMade(as: position) }.positions.map(\.scan)
    }

    /// The device's position before this one by the same positioner, late ones left out; from the
    /// hour before.
    func before(_ position: PositionEstimated) async throws -> PositionEstimated? {
        try await page(
            of: DeviceKey(position.site, position.device), from: position.locatedAt.moved(-60),
            until: position.locatedAt.moved(1)
        ) { $0.positioner == position.positioner && !$0.late && $0.at < position.at }
        .positions.max { $0.at < $1.at }
    }

    private func offset(
        _ time: Timestamp, _ direction: Int64, in place: TopicPartition
    ) async throws -> Int64 {
        try await log.offsets(
            of: place.topic,
            atMicroseconds: time.microseconds + direction * Self.slackMicroseconds
        )[place.partition]
    }
}

extension Timestamp {
    fileprivate func moved(_ minutes: Int64) -> Timestamp {
        advanced(byMicroseconds: minutes * 60_000_000)
    }
}

extension PositionEstimated {
    /// Whether both were made with the same positioner and versions, so that its state went on.
    fileprivate func isMade(as other: PositionEstimated) -> Bool {
        positioner == other.positioner && siteVersion == other.siteVersion
            && radioMapVersion == other.radioMapVersion && choiceVersion == other.choiceVersion
    }
}
