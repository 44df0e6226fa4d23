import Accuracy
import Datasets
import Events
import Geometry
import Positioning
import Site
import Wire

extension AccuracyPlot {
    /// The picture of a data set's results.
    ///
    /// - Parameter results: one per positioner, all over the same queries.
    /// - Throws: `SiteFaults` when the data set's site document has errors.
    init(
        _ dataset: Dataset, _ results: [AccuracyRun.Result], asTracks: Bool
    ) throws(SiteFaults) {
        let tests = dataset.tests.count
        let surveys = dataset.surveys.count
        self.init(
            title: "\(dataset.name): \(tests) scans\(asTracks ? " as tracks" : ""), "
                + "located by \(surveys) surveys",
            series: results.map { Series(name: $0.positioner, judged: $0.judged) },
            floors: try Self.floors(dataset),
            groundPerReportedMetre: dataset.groundPerReportedMetre)
    }

    private static func floors(_ dataset: Dataset) throws(SiteFaults) -> [String: Floor] {
        let site = try SiteIndex(dataset.document)
        var floors: [String: Floor] = [:]
        for room in dataset.document.rooms where !room.outline.isEmpty {
            floors[room.floor.text, default: Floor()].rooms.append(room.outline.corners)
        }
        var surveyed: [String: Set<Point>] = [:]
        for survey in dataset.surveys {
            guard let place = try? site.resolve(survey.place) else { continue }
            surveyed[site.floor(place.floor).id.text, default: []].insert(place.point)
        }
        for (floor, points) in surveyed {
            // Sorted, so that equal runs draw equal pictures.
            floors[floor, default: Floor()].surveyed = points.sorted {
                ($0.x, $0.y) < ($1.x, $1.y)
            }
        }
        return floors
    }
}
