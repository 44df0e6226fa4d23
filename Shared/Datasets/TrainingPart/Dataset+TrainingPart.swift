import Events
import Site

/// How scans of a training part are located by another part of it. The set's tests are not used.
public struct TrainingTrial: Hashable, Sendable {
    /// Nil to locate the scans that the map lacks.
    public var heldOut: HeldOut?
    /// Nil for the surveys that are not held out, as they are.
    public var map: DerivedMap?
    /// Nil for the usual one.
    public var share: Double?
    public var seed: UInt64

    public init(heldOut: HeldOut?, map: DerivedMap? = nil, share: Double? = nil, seed: UInt64) {
        self.heldOut = heldOut
        self.map = map
        self.share = share
        self.seed = seed
    }
}

extension Dataset {
    /// The set with parts of its training alone: surveys for a map, and scans of other surveys to
    /// locate. Equal arguments give equal parts.
    ///
    /// No scan is a survey of its map, nor a copy of one. With places held out, none is at a place
    /// of the map.
    ///
    /// - Throws: `DatasetFault` where the set does not have what is held out or needed for the map.
    public func onTrainingPart(_ trial: TrainingTrial) throws(DatasetFault) -> Dataset {
        let site = try siteIndex()
        var dataset = self
        dataset.parts = []
        for part in parts {
            dataset.parts += try part.onTraining(
                trial, site: site, phoneOfDevice: phoneOfDevice,
                hasPaths: part.tests.contains { $0.path != nil }, file: name,
                partName: parts.count > 1 ? "training of \(part.name)" : "training")
        }
        return dataset
    }

    /// The set's site, indexed.
    func siteIndex() throws(DatasetFault) -> SiteIndex {
        do throws(SiteFaults) {
            return try SiteIndex(document)
        } catch {
            let fault = error.faults[0]
            let detail = "\(fault.subject): \(fault.detail) (\(fault.code.rawValue))"
            throw DatasetFault(file: name, detail: detail)
        }
    }
}

extension Dataset.Part {
    fileprivate func onTraining(
        _ trial: TrainingTrial, site: SiteIndex, phoneOfDevice: [DeviceID: String],
        hasPaths: Bool, file: String, partName: String
    ) throws(DatasetFault) -> [Dataset.Part] {
        var placed: [PlacedSurvey] = []
        for survey in training {
            do throws(PlaceFault) {
                placed.append(try PlacedSurvey(survey, site: site))
            } catch {
                throw DatasetFault(
                    file: file, detail: "survey \(survey.scan.id): \(error.rawValue)")
            }
        }
        let phones = placed.map { phoneOfDevice[$0.survey.scan.device] }
        var groups: [HeldOut.Group?] = [nil]
        if let heldOut = trial.heldOut {
            let share = trial.share ?? heldOut.usualShare ?? 0
            let found = heldOut.groups(of: placed, phones: phones, share: share, seed: trial.seed)
            if let obstacle = found.obstacle { throw DatasetFault(file: file, detail: obstacle) }
            groups = found.groups
        }
        var parts: [Dataset.Part] = []
        for group in groups {
            let split = try Self.split(placed, phones, without: group, trial, file: file)
            let map = split.map.map { placed[$0].survey }
            parts.append(
                Dataset.Part(
                    name: Self.name(partName, without: group),
                    training: trial.map?.surveys(map) ?? map,
                    tests: split.rest.map { placed[$0].test(hasPaths: hasPaths) },
                    leftOut: group?.leftOut ?? []))
        }
        return parts
    }

    /// The set's own name of a part is that of its tests, which are not looked at.
    private static func name(_ name: String, without group: HeldOut.Group?) -> String {
        guard let group, !group.leftOut.isEmpty else { return name }
        return "\(name) without \(group.leftOut.joined(separator: " "))"
    }

    /// The indices of the map's surveys, and of those to locate.
    private static func split(
        _ placed: [PlacedSurvey], _ phones: [String?], without group: HeldOut.Group?,
        _ trial: TrainingTrial, file: String
    ) throws(DatasetFault) -> DerivedMap.Split {
        let left = Set(group?.surveys ?? [])
        let kept = placed.indices.filter { !left.contains($0) }
        var split = DerivedMap.Split(map: kept, rest: [])
        if let map = trial.map {
            let derived = map.split(
                kept.map { placed[$0] }, phones: kept.map { phones[$0] }, seed: trial.seed)
            if let obstacle = derived.obstacle { throw DatasetFault(file: file, detail: obstacle) }
            split.map = derived.split.map.map { kept[$0] }
            split.rest = derived.split.rest.map { kept[$0] }
        }
        if let group {
            split.rest = group.surveys
            // The map of one session or phone need not reach to where others were.
            let isEverywhere = trial.heldOut == .phones || trial.heldOut == .places
            if trial.map?.isOfSomeGround == true, isEverywhere {
                let reach = Reach(split.map.map { placed[$0] })
                split.rest.removeAll { !reach.holds(placed[$0]) }
            }
        }
        guard !split.rest.isEmpty else {
            let detail =
                group == nil
                ? "its map lacks no scan of the training part; hold places out"
                : "no scan that is held out is near the map"
            throw DatasetFault(file: file, detail: detail)
        }
        return split
    }
}
