import Datasets
import Events
import Positioning
import PublicData
import RadioMapCare
import Site
import Testing

/// The share of ordinary surveys that would be doubted, on training parts of public sets. The first
/// four fifths by time are the map, and the last fifth is new.
@Suite("Doubts about real surveys") struct RealDoubtsTests {
    /// Surveys of the trial: enough for a stable rate of false doubts, few enough for a quick test.
    private static let count = 4_000

    private struct Found {
        var outside = 0
        var silent = 0
        var against: [SurveyRecorded] = []
        var fresh = 0
    }

    private static func judged(
        _ surveys: [SurveyRecorded], _ site: SiteIndex
    ) -> (found: Found, judge: SurveyJudge) {
        let known = surveys.count * 4 / 5
        let map = RadioMapBuilder.build(surveys[..<known], site: site).map
        let judge = SurveyJudge(map, site: site)
        var found = Found(fresh: surveys.count - known)
        for survey in surveys[known...] {
            switch judge.verdict(of: survey) {
            case .outsideFloor: found.outside += 1
            case .againstMap: found.against.append(survey)
            case .nothingToCompare: found.silent += 1
            case .fits: break
            }
        }
        return (found, judge)
    }

    /// The library's part is its first months, before its access points changed.
    @Test(
        "Fewer than one ordinary survey in a hundred is doubted",
        arguments: [
            (DatasetKind.ujiLibrary, "uji-library"), (.ujiindoorloc, "ujiindoorloc"),
            (.microsoftIndoor, "ms-indoor-site1"), (.surimi, "tut5"),
        ])
    func rate(_ kind: DatasetKind, _ folder: String) throws {
        guard let (all, site) = try RealChangesTests.surveys(kind, folder) else { return }
        let found = Self.judged(
            Array(kind == .ujiLibrary ? all.prefix(Self.count) : all.suffix(Self.count)), site
        ).found
        print(
            "\(folder): of \(found.fresh) new surveys \(found.outside) are outside of their floor, "
                + "\(found.against.count) against the map, "
                + "\(found.silent) have nothing to compare with"
        )
        #expect(found.outside == 0)
        // Two surveys of tut5 are against the map. Only six have anything to compare with, too few
        // for a rate.
        #expect(Double(found.against.count) <= max(2, 0.01 * Double(found.fresh)))
    }

    @Test("Doubted surveys in a building with changed access points are offered as a change")
    func change() throws {
        guard let (all, site) = try RealChangesTests.surveys(.ujiLibrary, "uji-library") else {
            return
        }
        let (found, judge) = Self.judged(Array(all.suffix(Self.count)), site)
        let changes = SurveyedChange.all(in: found.against, site: site, agree: judge.agree)
        let offered = changes.reduce(0) { $0 + $1.surveys.count }
        print(
            "uji-library's last months: of \(found.fresh) new surveys \(found.against.count) are "
                + "against the map, \(offered) of them in \(changes.count) changes")
        #expect(found.against.count > 100)
        #expect(Double(offered) >= 0.9 * Double(found.against.count))
    }
}
