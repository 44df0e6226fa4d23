import Beacons
import Site
import SiteExchange
import Wire

extension MapFormat {
    static let beacons = MapFormat(
        name: "beacons",
        summary: "the set-up file of Flair: beacons of a floor as JSON, or a list of such",
        fileEnding: "-beacons.json",
        mediaType: "application/json",
        isPart: { _ in true },
        readWhole: { _, _ in
            throw ImportRefusal(.nothingToImport, "beacons go into a site that is there")
        },
        readPart: { file, site, _ in
            let documents = try MapFile.refusing {
                try BeaconDocument.list(json: file.content())
            }
            return try imported(documents, into: site)
        },
        write: { site, _, _ in BeaconDocument.json(of: BeaconSetup.documents(of: site)) },
        needsSite: true)

    private static func imported(
        _ documents: [BeaconDocument], into site: SiteDocument
    ) throws(ImportRefusal) -> ImportedSite {
        let found: (site: SiteDocument, leftOut: [BeaconSetup.LeftOut])
        do throws(BeaconSetup.Fault) {
            found = try BeaconSetup.site(site, with: documents)
        } catch {
            throw ImportRefusal(.malformed, error.detail)
        }
        var report = ImportReport()
        report.count("beacons", documents.reduce(0) { $0 + $1.beaconCount })
        for left in found.leftOut {
            report.note(left.document, ImportNote.What(rawValue: "left-out"), left.detail)
        }
        return try ImportedSite(document: found.site, report: report).checked(after: site)
    }
}

extension BeaconDocument {
    fileprivate var beaconCount: Int { groups.reduce(0) { $0 + $1.beacons.count } }
}
