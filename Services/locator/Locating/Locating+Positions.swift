import Cryptography
import Devices
import Events
import Magnetic
import Positioning
import ServiceHost
import Site
import Wire

extension Locating {
    /// Where the scan was made, by each positioner with its topic; the served one comes first. What
    /// they remember of the device changes only if the scan takes it further.
    func positions(
        _ scan: ScanRecorded, _ device: String, isLate: Bool, isMoved: Bool,
        _ state: inout PartitionState
    ) -> [(topic: String?, position: PositionEstimated)] {
        let map = maps[scan.site]
        var radio = radioScan(scan)
        var memory = state.memories.removeValue(forKey: device) ?? PositionerMemory()
        radio.evidence = fieldEvidence(scan, isMoved: isMoved, &memory)
        while state.scratch.count < maps.positioners.count {
            state.scratch.append(PositionerScratch())
        }
        var positions: [(String?, PositionEstimated)] = []
        for (index, positioner) in maps.positioners.enumerated() {
            let prepared = map?.prepared[index]
            let answer = prepared?.positioner.locate(
                radio, state: memory.state(of: positioner.name, basis: prepared?.basis ?? 0),
                seed: scan.id.low, scratch: &state.scratch[index])
            if isMoved, let prepared, let answer,
                !memory.keep(answer.state, of: positioner.name, basis: prepared.basis)
            {
                maps.stateIsTooLarge(positioner.name, answer.state.bytes.count)
            }
            positions.append(
                (
                    positioner.topic,
                    event(scan, answer?.estimate ?? .lost, by: positioner, map, isLate: isLate)
                ))
        }
        memory.forgetAll(but: maps.names.union([MagneticRoutes.memoryName]))
        // Positioners of single scans remember nothing, and then nothing is stored.
        if !memory.entries.isEmpty { state.memories[device] = memory }
        return positions
    }

    /// What the magnetic field says, where a positioner asks for it.
    private func fieldEvidence(
        _ scan: ScanRecorded, isMoved: Bool, _ memory: inout PositionerMemory
    ) -> [PlaceEvidence] {
        let name = MagneticRoutes.memoryName
        guard maps.usesEvidence, let following = magnetic[scan.site] else {
            _ = memory.keep(.empty, of: name, basis: 0)
            return []
        }
        let (evidence, state) = following.follower.follow(
            scan, state: memory.state(of: name, basis: following.basis))
        // The kept states of a matcher are far below the limit.
        if isMoved { _ = memory.keep(state, of: name, basis: following.basis) }
        return evidence
    }

    /// A sender's clock that runs ahead must not put the device's state into the future.
    func radioScan(_ scan: ScanRecorded) -> RadioScan {
        var radio = RadioScan(scan)
        radio.at = min(radio.at, scan.receivedAt)
        return radio
    }

    /// The served position of a scan by itself; nothing is remembered.
    func position(_ scan: ScanRecorded, isLate: Bool) async -> PositionEstimated {
        guard maps.positioners[0].isProgram else { return located(scan, isLate: isLate) }
        return await blocking { located(scan, isLate: isLate) }
    }

    private func located(_ scan: ScanRecorded, isLate: Bool) -> PositionEstimated {
        let map = maps[scan.site]
        let estimate = map.map { map in
            let positioner = map.prepared[0].positioner
            return (positioner.ofQuestions ?? positioner)
                .locate(radioScan(scan), seed: scan.id.low)
        }
        return event(scan, estimate ?? .lost, by: maps.positioners[0], map, isLate: isLate)
    }

    private func event(
        _ scan: ScanRecorded, _ estimate: Estimate, by working: WorkingPositioner,
        _ map: LoadedMap?, isLate: Bool
    ) -> PositionEstimated {
        // That of the map, where it is older for a moment: the position says what it was made with.
        let site = map?.site ?? host.sites[scan.site]
        let choice = working.positioner.followsChoice ? map?.choice : nil
        var position = locateScan(
            scan, estimate: estimate, id: EventID(positionOf: scan.id, by: working.name),
            locatedAt: host.now, isLate: isLate, site: site?.index,
            context: LocatingContext(
                positioner: working.name, siteVersion: site?.version ?? 0,
                radioMapVersion: map?.announcement?.version,
                choiceVersion: choice?.radioMapVersion))
        if map == nil { position.lostBecause = maps.lostReason(scan.site) }
        return position
    }
}
