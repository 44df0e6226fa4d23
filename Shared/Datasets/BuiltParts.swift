import Events
import Positioning
import Site
import Synchronization

/// The radio maps of a data set's parts and the choices for them, each made when it is first asked
/// for. A choice tries many settings on parts of the map, which lasts as long as anything here. So
/// all positioners of a run share it; equal maps make equal choices.
final class BuiltParts: Sendable {
    private struct Made {
        var maps: [Int: RadioMap] = [:]
        var choices: [Int: PositionerChosen] = [:]
    }

    private let dataset: Dataset
    private let made = Mutex(Made())

    init(_ dataset: Dataset) { self.dataset = dataset }

    /// The numbers of maps that were built, and of choices that were made.
    var counts: (maps: Int, choices: Int) {
        made.withLock { ($0.maps.count, $0.choices.count) }
    }

    /// The map of a part.
    ///
    /// - Throws: `DatasetFault` when the surveys do not fit the set's own site.
    func map(ofPart number: Int, site: SiteIndex) throws(DatasetFault) -> RadioMap {
        if let map = made.withLock({ $0.maps[number] }) { return map }
        let built = RadioMapBuilder.build(dataset.parts[number].training, site: site)
        if let rejection = built.rejections.first {
            let detail = "survey \(rejection.survey): \(rejection.fault.rawValue)"
            throw DatasetFault(file: dataset.name, detail: detail)
        }
        made.withLock { $0.maps[number] = built.map }
        return built.map
    }

    /// The choice that a fingerprint-builder makes for a part's map.
    func choice(ofPart number: Int, for map: RadioMap) -> PositionerChosen {
        if let choice = made.withLock({ $0.choices[number] }) { return choice }
        let found = PositionerChoice(for: map)
        let choice = PositionerChosen(
            site: dataset.site, radioMapVersion: 1, hash: "", positioner: found.positioner,
            meanErrorMetres: found.meanErrorMetres, floorHit: found.floorHit,
            chosenAt: Timestamp(microseconds: 0))
        made.withLock { $0.choices[number] = choice }
        return choice
    }
}
