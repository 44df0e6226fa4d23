import Cryptography
import Events
import Positioning
import Site
import Wire

/// Everything from which a building's part of a radio map is built: its surveys and its part of the
/// site.
struct PartInputs: Sendable {
    var grounds: [SurveyGround]
    private let site: String
    private let counted: [SurveyGround: SurveyOverview.Ground]

    /// The inputs of each building that has surveys, and the number of surveys at grounds that the
    /// site does not have.
    static func all(
        _ overview: SurveyOverview, _ index: SiteIndex
    ) -> (buildings: [BuildingID: PartInputs], unplaced: Int) {
        var grounds: [BuildingID: [SurveyGround]] = [:]
        var unplaced = 0
        for (ground, counted) in overview.grounds {
            if let building = index.building(of: ground) {
                grounds[building, default: []].append(ground)
            } else {
                unplaced += counted.surveys
            }
        }
        let documents = index.document.surveyed(grounds.keys)
        let inputs = documents.map { building, document in
            let input = PartInputs(
                grounds: grounds[building] ?? [], site: sha256Hex(document.json),
                counted: overview.grounds)
            return (building, input)
        }
        return (Dictionary(uniqueKeysWithValues: inputs), unplaced)
    }

    /// Equal for equal inputs.
    var digest: String { digest(counted) }

    /// The same for other numbers of the surveys, as they were when the surveys were read.
    func digest(_ counted: [SurveyGround: SurveyOverview.Ground]) -> String {
        var lines = ["\(RadioMapBuilder.version) \(site)"]
        for ground in grounds.map(\.text).sorted() {
            guard let place = SurveyGround(text: ground), let known = counted[place] else {
                continue
            }
            lines.append("\(ground) \(known.surveys) \(known.high) \(known.low)")
        }
        return sha256Hex(Array(lines.joined(separator: "\n").utf8))
    }
}
