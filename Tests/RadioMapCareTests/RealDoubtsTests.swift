import Datasets
import Events
import Positioning
import PublicData
import RadioMapCare
import Site
import Testing

/// How often ordinary surveys would be doubted, on training parts of public sets: the first four fifths by time
/// are the map, the last fifth is new.
@Suite("Doubts about real surveys") struct RealDoubtsTests {
    @Test(
        "Fewer than one ordinary survey in a hundred is kept aside",
        arguments: [
            (DatasetKind.ujiLibrary, "uji-library"), (.ujiindoorloc, "ujiindoorloc"),
            (.microsoftIndoor, "ms-indoor-site1"), (.surimi, "tut5"),
        ])
    func rate(_ kind: DatasetKind, _ folder: String) throws {
        guard let (all, site) = try RealChangesTests.surveys(kind, folder) else { return }
        // Enough for a rate, and soon done.
        let surveys = Array(all.suffix(4_000))
        let known = surveys.count * 4 / 5
        let map = RadioMapBuilder.build(surveys[..<known], site: site).map
        let judge = SurveyJudge(map, site: site)
        let fresh = surveys[known...]
        var (outside, against, silent) = (0, 0, 0)
        for survey in fresh {
            switch judge.verdict(of: survey) {
            case .outsideFloor: outside += 1
            case .againstMap: against += 1
            case .nothingToCompare: silent += 1
            case .fits: break
            }
        }
        print(
            "\(folder): of \(fresh.count) new surveys \(outside) are outside of their floor, "
                + "\(against) against the map, \(silent) have nothing to compare with")
        #expect(outside == 0)
        #expect(Double(against) <= 0.01 * Double(fresh.count))
    }
}
