public import Events
public import Geometry
public import Site

/// Surveys near one another that agree with each other against the map: what the radio of the place
/// may have become.
public struct SurveyedChange: Hashable, Sendable {
    /// Surveys that it takes.
    public static let fewestSurveys = 3
    /// Metres: within them surveys are of one place.
    static let nearMetres = 10.0

    public var floor: FloorID
    /// The middle of the surveys.
    public var point: Point
    /// In the order of their ids.
    public var surveys: [EventID]

    /// The changes that doubted surveys speak of; each survey is in one at most.
    /// - Parameter agree: whether two surveys heard what two of one place hear.
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
