import Devices
import EventLog
import Events
import Geometry
import HTTP
import Positioning
import Postgres
import ServiceHost
import Site
import Threads
import Wire

/// Explains why a device was located where it was. It reads the scan from the log again, and
/// locates it with the same positioner, radio map, site and choice.
///
/// The positioner's memory of that time is not stored. It is rebuilt from the device's earlier
/// scans: more and more of them, until the same position comes out. The answer states whether it
/// did.
struct Explaining: Sendable {
    let log: any EventLog
    let locating: Locating
    let former: FormerSites
    let stored: StoredPositions

    /// How far back the device's scans are read, in seconds: first two minutes, then more each time
    /// that another position comes out.
    private static let reaches: [Int64] = [120, 900, 7_200]
    /// Longer reaches, in seconds, for a scan that waited long to be located.
    private static let waits: [Int64] = [57_600, 460_800]

    static let noMap = Problem(
        other: .radioMapMissing, "No radio map is loaded for this site.", retryAfterSeconds: 10)

    /// - Parameters:
    ///   - positioner: one that located the same scan beside; nil for the position itself.
    ///   - isAllowed: whether the caller may see the position.
    func explain(
        _ id: EventID, by positioner: String? = nil,
        isAllowed: (PositionEstimated) throws(Problem) -> Void
    ) async throws -> ExplainedPosition {
        let served = try await position(id)
        try isAllowed(served)
        let position = try await self.position(served, by: positioner)
        try isAllowed(position)
        var scans = try await DeviceScans(before: position, in: log)
        try await find(position, &scans)
        guard let making = try await former.making(of: position) else {
            guard position.radioMapVersion != nil else {
                throw Problem(
                    .radioMapMissing, "The site had no radio map when this was located.")
            }
            throw Self.noMap
        }
        let again = try await again(position, &scans, making)
        let explanation = await locating.blocking {
            Explanation(
                again.scan, by: making.locator(of: again.scan), on: making.map,
                beacons: making.site.site?.index.beacons)
        }
        let before =
            position == served
            ? try await before(position) : try await beside.before(position)
        return ExplainedPosition(
            position, before: before, making: making.written, explanation: explanation,
            again: again.outcome)
    }

    func position(_ id: EventID) async throws -> PositionEstimated {
        // A scan's id may be used again by a client that has seen it, for another device. The
        // device that was located first counts.
        guard
            let position = try await stored.read(
                PositionSelection(order: .locatedFirst, limit: 1) { _, values in
                    ["id = " + PositionForm.add(.uuid(id.bytes), &values)]
                }
            ).first
        else {
            throw Problem(.positionUnknown, "There is no position \(id).")
        }
        return position
    }

    private var beside: BesidePositions { BesidePositions(log: log, erased: locating.erased) }

    /// The position of the same scan by a positioner that may have been beside.
    private func position(
        _ served: PositionEstimated, by positioner: String?
    ) async throws -> PositionEstimated {
        guard let positioner, positioner != served.positioner else { return served }
        guard let position = try await beside.position(beside: served, by: positioner) else {
            let beside = locating.sites.namesBeside(of: served.site) ?? []
            throw Problem(
                .positionUnknown,
                "\(positioner.prefix(64)) did not locate this scan, or the log has it no more; "
                    + "\(served.positioner) was served, and beside it "
                    + (beside.isEmpty ? "is none now." : "are \(beside.joined(separator: ", "))."))
        }
        return position
    }

    /// Reads back until the position's scan is found.
    private func find(_ position: PositionEstimated, _ scans: inout DeviceScans) async throws {
        for seconds in Self.reaches + Self.waits {
            try await scans.readBack(toSeconds: seconds)
            if scans.isFound { return }
            let reached = position.locatedAt.advanced(byMicroseconds: -seconds * 1_000_000)
            if scans.isExhausted || position.at - reached > 60_000_000 { break }
        }
        throw Problem(
            .scanGone, "The log does not hold the scan of this position any more.")
    }

    /// The device's position before this one, late ones left out.
    private func before(_ position: PositionEstimated) async throws -> PositionEstimated? {
        let bin = PositionTables.deviceBin
        let selection = PositionSelection(order: .newest, limit: 1, bin: bin) { form, values in
            [
                form.isOf(device: position.device.text, of: position.site.text, &values),
                form.compares("<", position.at, bin: bin, &values),
                form.width == .wide
                    ? "NOT late"
                    : "kind <> ALL (ARRAY(SELECT number FROM locator.position_kinds WHERE late))",
            ]
        }
        return try await stored.read(selection).first
    }

    // MARK: Locating again

    /// Locates the device's scans again, from the oldest that was located with the same positioner,
    /// radio map, site and choice. A state that outlives these may come from older scans.
    private func again(
        _ position: PositionEstimated, _ scans: inout DeviceScans, _ making: PositionMaking
    ) async throws -> LocatedAgain {
        var reaches = Self.reaches[...]
        while true {
            let (run, isWhole) =
                making.positioner.stateBasis == nil
                ? try await run(position, scans.scans) : (scans.scans, false)
            let again = await locating.blocking {
                LocatedAgain(run, as: position, in: making.site, by: locating.rules)
            }
            guard let again else {
                throw Problem(
                    .scanGone, "The log does not hold the scan of this position any more.")
            }
            if again.outcome.isSame || isWhole || scans.isExhausted { return again }
            guard let seconds = reaches.popFirst() else { return again }
            try await scans.readBack(toSeconds: seconds)
        }
    }

    /// The scans since the device was last located with another version or positioner, and whether
    /// there was such a change.
    private func run(
        _ position: PositionEstimated, _ scans: [ScanRecorded]
    ) async throws -> (scans: [ScanRecorded], isWhole: Bool) {
        guard let oldest = scans.first else { return (scans, false) }
        var others = Set(try await otherwiseMade(position, since: oldest.receivedAt))
        if !others.isEmpty {
            // A positioner keeps its state where it is promoted from beside.
            others.subtract(try await beside.scans(madeAs: position, since: oldest.receivedAt))
        }
        guard let last = scans.lastIndex(where: { others.contains($0.id) }) else {
            return (scans, false)
        }
        return (Array(scans[(last + 1)...]), true)
    }

    /// The device's scans up to the position that were located with another version or positioner.
    private func otherwiseMade(
        _ position: PositionEstimated, since: Timestamp
    ) async throws -> [EventID] {
        var scans: [EventID] = []
        for form in PositionForm.all() {
            var values: [PostgresValue] = [
                .timestamp(microseconds: since.microseconds),
                .timestamp(microseconds: position.locatedAt.microseconds),
                .text(position.positioner), .int(position.siteVersion),
                .optional(position.radioMapVersion, PostgresValue.int),
                .optional(position.choiceVersion, PostgresValue.int),
            ]
            let isOther = """
                (positioner, site_version, radio_map_version, choice_version)
                    IS DISTINCT FROM ($3::text, $4::bigint, $5::bigint, $6::bigint)
                """
            let isOfDevice = form.isOf(
                device: position.device.text, of: position.site.text, &values)
            let condition =
                form.width == .wide
                ? isOther
                : "kind = ANY (ARRAY(SELECT number FROM locator.position_kinds WHERE \(isOther)))"
            let rows = try await stored.pool.query(
                """
                SELECT scan_id FROM \(form.table)
                WHERE \(isOfDevice) AND located_at BETWEEN $1 AND $2 AND \(condition)
                """, values)
            for row in rows { scans.append(try PositionRow.identifier(row["scan_id"])) }
        }
        return scans
    }
}
