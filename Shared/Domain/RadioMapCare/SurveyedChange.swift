public import Events
public import Geometry
public import Site

/// Surveys near one another that agree with each other but not with the map. The radio of the place
/// has probably changed.
public struct SurveyedChange: Hashable, Sendable {
    /// The smallest number of surveys that make a change.
    public static let fewestSurveys = 3
    /// Surveys within this many metres are of one place.
    static let nearMetres = 10.0

    public var floor: FloorID
    /// The mean of the surveys' points.
    public var point: Point
    /// Ordered by id.
    public var surveys: [EventID]

    /// The changes that the doubted surveys show. Each survey is in one change at most.
    ///
    /// - Parameter agree: whether the readings of two surveys fit one place.
    public static func all(
        in doubted: [SurveyRecorded], site: SiteIndex,
        agree: (SurveyRecorded, SurveyRecorded) -> Bool
    ) -> [SurveyedChange] {
        var waiting = doubted.sorted { $0.scan.id < $1.scan.id }.compactMap { survey in
            (try? site.resolve(survey.place)).map { (survey: survey, place: $0) }
        }
        var changes: [SurveyedChange] = []
        while let first = waiting.first {
            let alike = waiting.indices.filter { index in
                let other = waiting[index]
                return index == 0
                    || other.place.floor == first.place.floor
                        && first.place.point.distance(to: other.place.point) <= nearMetres
                        && agree(first.survey, other.survey)
            }
            if alike.count >= fewestSurveys {
                let points = alike.map { waiting[$0].place.point }
                let count = Double(points.count)
                changes.append(
                    SurveyedChange(
                        floor: site.floor(first.place.floor).id,
                        point: Point(
                            x: points.reduce(0) { $0 + $1.x } / count,
                            y: points.reduce(0) { $0 + $1.y } / count),
                        surveys: alike.map { waiting[$0].survey.scan.id }))
                for index in alike.reversed() { waiting.remove(at: index) }
            } else {
                waiting.removeFirst()
            }
        }
        return changes
    }
}
