import Events
import Geometry

/// Finds beacons and scanners that are far outside of all that the site draws.
struct FarReview {
    private(set) var findings: [ReviewFinding] = []

    init(_ site: SiteIndex) {
        let (beacons, scanners) = (site.document.beacons, site.document.scanners)
        review(
            beacons.map { (subject: .beacon($0.id), point: $0.point) }, .beaconOutsideSite, site)
        review(
            scanners.map { (subject: .scanner($0.id), point: $0.point) }, .scannerOutsideSite, site)
    }

    /// One finding for all of a kind: a wrong origin puts every beacon outside.
    private mutating func review(
        _ placed: [(subject: ReviewFinding.Subject, point: Point)], _ code: ReviewFinding.Code,
        _ site: SiteIndex
    ) {
        let far = placed.filter { site.extent.isFarOutside($0.point) }.map(\.subject)
        guard let first = far.first else { return }
        let those =
            far.count == 1
            ? "The \(first.kind) \(first.id) is"
            : "\(far.count) \(first.kind)s, such as \(first.id), are"
        findings.append(
            ReviewFinding(
                code, .warning, Array(far.prefix(ReviewFinding.mostSubjects)),
                "\(those) more than \(Int(SiteExtent.farMetres)) m outside of all that the site "
                    + "draws."))
    }
}
