import EventLog
import Events
import ServiceHost
import Wire

/// Reads the positions of one device by positioners beside the served one. They are kept for a week
/// and seldom read, so no table has them: they come from the log.
struct BesidePositions: Sendable {
    /// Clocks of appending processes may differ a little.
    private static let slackMicroseconds: Int64 = 2_000_000

    let log: any EventLog
    let erased: ErasureDirectory
    /// The most records that are read for one answer.
    var mostRecords: Int64 = 500_000
    /// Records that are read before the next look at the limit.
    var chunk: Int64 = 20_000

    /// The part of the log that has the positions of a device in a time.
    private struct Part: Sendable {
        var place: TopicPartition
        var key: [UInt8]
        var offsets: Range<Int64>
        var times: Range<Timestamp>
    }

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
        let part = try await self.part(of: device, from: from, until: until)
        let end = part.offsets.upperBound
        let start = min(max(part.offsets.lowerBound, offset ?? 0), end)
        var page = Page(next: start)
        while let next = page.next, next < end, next - start < mostRecords {
            let last = min(next + chunk, end)
            var stop: Int64?
            try await log.readRange([part.place: next..<last]) { records in
                for record in records where stop == nil {
                    guard let position = self.position(record, in: part), isWanted(position) else {
                        continue
                    }
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

    /// The wanted positions of a time, read from its end on back. Where the time has too many
    /// records, the oldest are left out.
    ///
    /// - Parameter isOneEnough: whether nothing before the newest wanted ones is needed.
    private func newest(
        of device: DeviceKey, from: Timestamp, until: Timestamp, isOneEnough: Bool = false,
        where isWanted: @Sendable (PositionEstimated) -> Bool
    ) async throws -> [PositionEstimated] {
        let part = try await self.part(of: device, from: from, until: until)
        var positions: [PositionEstimated] = []
        var end = part.offsets.upperBound
        while end > part.offsets.lowerBound, part.offsets.upperBound - end < mostRecords {
            let start = max(part.offsets.lowerBound, end - chunk)
            try await log.readRange([part.place: start..<end]) { records in
                positions += records.compactMap { position($0, in: part) }.filter(isWanted)
            }
            if isOneEnough, !positions.isEmpty { break }
            end = start
        }
        return positions
    }

    private func part(
        of device: DeviceKey, from: Timestamp, until: Timestamp
    ) async throws -> Part {
        let topic = Topic.positionsBeside.name
        let key = RecordKey.bytes(device.site, device.device)
        let number = partition(forKey: key, of: try await log.partitionCount(of: topic))
        let place = TopicPartition(topic, number)
        let held = try await log.ranges(of: [topic])[place] ?? 0..<0
        let start = max(try await offset(from, -1, in: place), held.lowerBound)
        let end = min(try await offset(until, 1, in: place), held.upperBound)
        return Part(
            place: place, key: key, offsets: start..<max(start, end),
            times: from..<max(from, until))
    }

    /// The position of a record; nil if it is not of the part's device and time, or was erased.
    private func position(_ record: StoredRecord, in part: Part) -> PositionEstimated? {
        guard record.key == part.key, !erased.covers(record),
            let position = try? PositionEstimated(record: record),
            part.times.contains(position.locatedAt)
        else { return nil }
        return position
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
    /// and choice, up to the position. Where these are very many, the newest.
    func scans(
        madeAs position: PositionEstimated, since: Timestamp
    ) async throws -> [EventID] {
        try await newest(
            of: DeviceKey(position.site, position.device), from: since,
            until: position.locatedAt.moved(1)
        ) { $0.isMade(as: position) }.map(\.scan)
    }

    /// The device's position before this one by the same positioner, late ones left out; from the
    /// hour before.
    func before(_ position: PositionEstimated) async throws -> PositionEstimated? {
        // Those that are not late are in the order of their times.
        try await newest(
            of: DeviceKey(position.site, position.device), from: position.locatedAt.moved(-60),
            until: position.locatedAt.moved(1), isOneEnough: true
        ) { $0.positioner == position.positioner && !$0.late && $0.at < position.at }
        .max { $0.at < $1.at }
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
