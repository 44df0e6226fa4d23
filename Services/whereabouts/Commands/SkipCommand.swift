import EventLog
import JSON
import Locator
import ServiceHost
import ServiceRuntime
import Wire

extension Command {
    /// Moves a consumer group past records that the log does not hold any more.
    public static let skip = Command(
        name: "skip", summary: "move a service past records that the log has lost",
        help: """
            whereabouts skip GROUP [--apply]

              GROUP    \(groups.keys.sorted().joined(separator: " | "))
              --apply  move the group; without it nothing is changed

            Prints for each partition the group's offset, the offsets that the log holds, and how
            many records the group has lost: they became too old while it was away, or the log was
            restored to an earlier state. With --apply the group goes on at the partition's first
            record, or at its end. Stop the services of this group first. Uses the same settings as
            the services.
            """,
        run: { try await skip($0) })

    static let groups: [String: Topic] = [
        "locator": .scans, "scan-ingest": .scansInbound, "scan-ingest-sightings": .sightings,
        LocatorDefinition.smoothingGroup: .positions,
    ]

    private static func skip(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: [], flags: ["--apply"])
        guard reader.positional.count == 1, let topic = groups[reader.positional[0]] else {
            let known = groups.keys.sorted().joined(separator: ", ")
            throw UsageFault("skip needs one group: \(known)")
        }
        let group = reader.positional[0]
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts skip",
            settings: ServiceProgram.serviceSettings)
        do throws(EventLogError) {
            let stands = try await GroupStand.all(of: group, topic: topic.name, host.log)
            let moves = stands.compactMap { stand in stand.wayOut.map { (stand.partition, $0) } }
            let isApplied = reader.has("--apply") && !moves.isEmpty
            if isApplied {
                try await host.log.moveGroup(
                    group, to: Dictionary(uniqueKeysWithValues: moves))
            }
            for stand in stands { invocation.output(stand.line(isMoved: isApplied)) }
            if moves.isEmpty {
                invocation.note("Nothing to skip: the log holds all that \(group) reads next.")
            } else if !isApplied {
                invocation.note("Stop the services with the group \(group), then add --apply.")
            }
        } catch  where error.code == .fenced {
            await host.log.close()
            throw SkipRefused(group: group)
        } catch {
            await host.log.close()
            throw error
        }
        await host.log.close()
    }
}

/// The group can't be moved while it has members: they would commit their own offsets again.
private struct SkipRefused: Error, CustomStringConvertible {
    let group: String
    var description: String {
        "the group \(group) has members: stop its services, wait ten seconds, and try again"
    }
}

/// A group's offset in a partition and the offsets that the log holds there.
struct GroupStand: Hashable, Sendable {
    var partition: TopicPartition
    /// Nil where the group has committed nothing; it begins at the start then.
    var committed: Int64?
    var bounds: PartitionBounds

    static func all(
        of group: String, topic: String, _ log: any EventLog
    ) async throws(EventLogError) -> [GroupStand] {
        let committed = try await log.lastCommitted(group: group, topics: [topic])
        return try await log.bounds(of: topic).enumerated().map { number, bounds in
            let place = TopicPartition(topic, number)
            return GroupStand(partition: place, committed: committed[place], bounds: bounds)
        }
    }

    /// The offset to move the group to; nil when it can go on where it is.
    var wayOut: Int64? {
        guard let committed else { return nil }
        if committed < bounds.start { return bounds.start }
        return committed > bounds.end ? bounds.end : nil
    }

    /// The number of records that the log has deleted before the group read them.
    var lost: Int64 { max(0, bounds.start - (committed ?? bounds.start)) }

    func line(isMoved: Bool) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("partition", partition.description)
        if let committed { writer.field("committed", committed) }
        writer.field("start", bounds.start)
        writer.field("end", bounds.end)
        writer.field("lost", lost)
        if let wayOut { writer.field(isMoved ? "movedTo" : "wouldMoveTo", wayOut) }
        writer.endObject()
        return writer.finishText()
    }
}
