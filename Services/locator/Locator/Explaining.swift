import EventLog
import Events
import Geometry
import HTTP
import JSON
import Positioning
import Postgres
import ServiceHost
import Wire

/// Answers why a device was located where it was: reads the scan from the log again and asks the
/// served positioner once more.
///
/// What the positioner remembered of the device at that time is not kept. So it is asked about the
/// scan alone, and about the device's scans of the two minutes before, one after the other; how far
/// the outcome is from the position that was served is said with it.
struct Explaining: Sendable {
    let host: Host
    let locating: Locating
    let pool: PostgresPool

    /// How far back the device's scans are read.
    private static let memoryMicroseconds: Int64 = 120_000_000
    /// Looking for one scan reads no more records than this.
    private static let mostRecords: Int64 = 500_000

    /// - Parameter isAllowed: whether the caller may see the position.
    func explain(
        _ id: EventID, isAllowed: (PositionEstimated) throws(Problem) -> Void
    ) async throws -> [UInt8] {
        guard let position = try await stored("id = $1", [.uuid(id.bytes)]) else {
            throw Problem(404, "position-unknown", "There is no position \(id).")
        }
        try isAllowed(position)
        guard let scans = try await scans(upTo: position), let scan = scans.last else {
            throw Problem(
                410, "scan-gone", "The log does not hold the scan of this position any more.")
        }
        guard let map = locating.maps[position.site] else {
            throw Problem(
                503, "radio-map-missing", "No radio map is loaded for this site.",
                retryAfterSeconds: 10)
        }
        let before = try await stored(
            "site = $1 AND device = $2 AND at < $3 AND NOT late",
            [
                .text(position.site.text), .text(position.device.text),
                .timestamp(microseconds: position.at.microseconds),
            ])
        let (explanation, again) = await locating.blocking {
            let positioner = map.prepared[0].positioner
            return (
                Explanation(scan, by: positioner, on: map.map), Self.again(scans, positioner)
            )
        }
        return write(position, before, explanation, again, scans.count - 1, map)
    }

    /// The newest position that fulfils the condition.
    private func stored(
        _ condition: String, _ values: [PostgresValue]
    ) async throws -> PositionEstimated? {
        let columns = PositionRow.columns.map { $0 == "rooms" ? "rooms::text AS rooms" : $0 }
        return try await pool.query(
            """
            SELECT \(columns.joined(separator: ", ")) FROM locator.positions
            WHERE \(condition) ORDER BY at DESC LIMIT 1
            """, values
        ).first.map(PositionRow.position)
    }

    /// The device's scans of the two minutes before the position's, and that one as the last; nil when
    /// the log does not hold it.
    private func scans(upTo position: PositionEstimated) async throws -> [ScanRecorded]? {
        let topic = Topic.scans.name
        let key = RecordKey.bytes(position.site, position.device)
        let partition = partition(
            forKey: key, of: try await host.log.partitionCount(of: topic))
        var end = try await host.log.offsets(
            of: topic, atMicroseconds: position.locatedAt.microseconds + 2_000_000)[partition]
        var found: [ScanRecorded] = []
        var window = Self.memoryMicroseconds
        var count: Int64 = 0
        while end > 0, count < Self.mostRecords {
            // Soon after a scan it is located; one that waited long lies further back.
            let from = position.locatedAt.microseconds - window
            let bound = try await host.log.bounds(of: topic)[partition]
            let start = max(
                bound.start,
                try await host.log.offsets(of: topic, atMicroseconds: from)[partition])
            var earlier: [ScanRecorded] = []
            if start < end {
                try await host.log.readRange([TopicPartition(topic, partition): start..<end]) {
                    earlier += $0.filter { $0.key == key }.compactMap { record in
                        try? ScanRecorded(record: record)
                    }
                }
            }
            found = earlier + found
            if let index = found.lastIndex(where: { $0.id == position.scan }) {
                let oldest = found[index].correctedAt.advanced(
                    byMicroseconds: -Self.memoryMicroseconds)
                return found[...index].filter {
                    $0.correctedAt >= oldest && $0.correctedAt <= found[index].correctedAt
                }.filter { $0.id != position.scan } + [found[index]]
            }
            guard start > bound.start, from > position.at.microseconds - 60_000_000 else {
                return nil
            }
            count += end - start
            end = start
            window *= 8
        }
        return nil
    }

    /// The estimate of the last scan after all those before it.
    private static func again(
        _ scans: [ScanRecorded], _ positioner: any PreparedPositioner
    ) -> Estimate {
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        var estimate = Estimate.lost
        for scan in scans {
            (estimate, state) = positioner.locate(
                RadioScan(scan), state: state, seed: scan.id.low, scratch: &scratch)
        }
        return estimate
    }
}

extension Explaining {
    private func write(
        _ position: PositionEstimated, _ before: PositionEstimated?, _ explanation: Explanation,
        _ again: Estimate, _ scansBefore: Int, _ map: LoadedMap
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 8_192)
        writer.beginObject()
        writer.name("position")
        position.write(to: &writer)
        writer.name("explainedWith")
        writer.beginObject()
        writer.field("positioner", locating.maps.positioners[0].name)
        writer.field("radioMapVersion", map.announcement.version)
        writer.field("siteVersion", map.site.version)
        writer.endObject()
        Self.write(explanation, to: &writer)
        writer.name("again")
        writer.beginObject()
        writer.field("scansBefore", scansBefore)
        Self.write(again, named: "estimate", to: &writer)
        if let place = again.place, let x = position.x, let y = position.y {
            writer.field(
                "metresFromPosition", place.point.distance(to: Point(x: x, y: y)), decimals: 3)
        }
        writer.endObject()
        if let before, let from = before.floor, let to = position.floor, from != to {
            func share(_ floor: FloorID) -> Double {
                explanation.floors.first { $0.floor == floor }?.share ?? 0
            }
            writer.name("floorChange")
            writer.beginObject()
            writer.field("previousPosition", before.id.description)
            writer.field("from", from.text)
            writer.field("to", to.text)
            writer.field("shareFrom", share(from), decimals: 6)
            writer.field("shareTo", share(to), decimals: 6)
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ explanation: Explanation, to writer: inout JSONWriter) {
        writer.name("readings")
        writer.beginArray()
        for reading in explanation.readings {
            writer.beginObject()
            if let transmitter = reading.transmitter {
                writer.field("transmitter", transmitter.description)
            }
            writer.field("rssi", reading.rssi)
            writer.field("use", reading.use.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.field("candidateCount", explanation.placeCount)
        writer.name("candidates")
        writer.beginArray()
        for place in explanation.places {
            writer.beginObject()
            writer.field("floor", place.floor.text)
            if let room = place.room { writer.field("room", room.text) }
            writer.field("x", place.point.x, decimals: 3)
            writer.field("y", place.point.y, decimals: 3)
            writer.field("weight", place.weight, decimals: 6)
            writer.endObject()
        }
        writer.endArray()
        writer.name("floors")
        writer.beginArray()
        for (floor, share) in explanation.floors {
            writer.beginObject()
            writer.field("floor", floor.text)
            writer.field("share", share, decimals: 6)
            writer.endObject()
        }
        writer.endArray()
        write(explanation.estimate, named: "alone", to: &writer)
    }

    private static func write(
        _ estimate: Estimate, named name: StaticString, to writer: inout JSONWriter
    ) {
        writer.name(name)
        writer.beginObject()
        writer.field("state", estimate.state.rawValue)
        if let place = estimate.place {
            writer.field("floor", place.floor.text)
            if let room = place.room { writer.field("room", room.text) }
            writer.field("x", place.point.x, decimals: 3)
            writer.field("y", place.point.y, decimals: 3)
            writer.field("radius68", place.radius68, decimals: 3)
            writer.field("radius95", place.radius95, decimals: 3)
        }
        writer.endObject()
    }
}
