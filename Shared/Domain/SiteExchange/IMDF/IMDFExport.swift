import Events
import Geometry
public import Site

/// Writes a site as an archive of IMDF 1.0 (OGC 20-094).
///
/// If the site was imported from an archive, that archive is changed only where the site has
/// changed since. All other features, properties and numbers are written as they were, with the
/// members unknown to sites. Otherwise a new archive is made. Facts that IMDF can't express are
/// left out.
public struct IMDFExport: Sendable {
    /// The archive that the site was imported from.
    public var base: IMDFArchive?
    /// The time in RFC 3339, for the manifest of a new archive.
    public var created: String
    /// The category of the venue in a new archive, one of IMDF's.
    var venueCategory: String

    public init(base: IMDFArchive?, created: String, venueCategory: String = "university") {
        self.base = base
        self.created = created
        self.venueCategory = venueCategory
    }

    public func archive(of site: SiteDocument) -> IMDFArchive {
        let frame = site.frame
        let timeZone = site.buildings.first?.timeZone ?? "Etc/UTC"
        if let base,
            let before = try? IMDFImport(.init(timeZone: timeZone, frame: frame)).site(from: base)
        {
            return written(site, over: base, before: before.document, frame)
        }
        var skeleton = IMDFArchive()
        skeleton.files.append(
            IMDFArchive.File(
                path: "manifest.json",
                content: .value([
                    "version": "1.0.0", "created": .text(created), "generated_by": "Whereabouts",
                    "language": "en", "extensions": nil,
                ])))
        let nothing = SiteDocument(
            name: "", originLatitude: site.originLatitude,
            originLongitude: site.originLongitude, bearingDegrees: site.bearingDegrees)
        return written(site, over: skeleton, before: nothing, frame)
    }

    private func written(
        _ site: SiteDocument, over base: IMDFArchive, before: SiteDocument, _ frame: LocalFrame
    ) -> IMDFArchive {
        var writing = IMDFWriting(base, before: before, after: site, frame: frame)
        writing.writeVenue(category: venueCategory)
        writing.writeBuildings()
        writing.writeFloors()
        writing.writeRooms()
        writing.writeDoors()
        writing.writeClimbs()
        writing.writePaths()
        writing.writeLocations()
        writing.writeDirectory()
        writing.writeZones()
        return writing.finish()
    }
}
