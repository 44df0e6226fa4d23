import Events
internal import JSON
public import Site
public import SiteExchange

/// Exports and imports IMDF archives. A file of Whereabouts' own, the supplement, holds the parts
/// of a site that IMDF can't express.
///
/// The manifest names that file as an extension (OGC 20-094, Extensions). Other programs ignore it,
/// and an archive without it can be imported too.
public enum IMDFExchange {
    private static let name = "whereabouts"
    private static let extensionName = "imdf:extension:whereabouts:site#1.0.0"

    /// - Parameters:
    ///   - base: the archive that the site was imported from, if any.
    ///   - created: the time of the export as RFC 3339.
    public static func archive(
        of site: SiteDocument, base: IMDFArchive?, created: String
    ) -> IMDFArchive {
        var plain = IMDFExport(base: base.map(withoutSupplement), created: created)
            .archive(of: site)
        // Without a supplement if a reader of the plain archive gets the same site.
        if let read = try? IMDFImport().site(from: plain).document, isSame(read, site) {
            return plain
        }
        let read =
            (try? IMDFImport(.init(frame: site.frame)).site(from: plain).document)
            ?? SiteDocument(
                name: "", originLatitude: site.originLatitude,
                originLongitude: site.originLongitude, bearingDegrees: site.bearingDegrees)
        guard let supplement = SiteSupplement(of: site, beside: read) else {
            return plain
        }
        plain.add(supplement)
        return plain
    }

    private static func isSame(_ one: SiteDocument, _ other: SiteDocument) -> Bool {
        one.originLatitude == other.originLatitude && one.originLongitude == other.originLongitude
            && one.bearingDegrees == other.bearingDegrees
            && SiteSupplement(of: one, beside: other) == nil
    }

    /// Reads the archive as a site. Changes that another program made to an exported archive count.
    public static func site(
        from archive: IMDFArchive, _ options: ImportOptions = .init()
    ) throws(ImportRefusal) -> ImportedSite {
        guard let supplement = try supplement(of: archive) else {
            return try IMDFImport(options).site(from: archive)
        }
        // The archive is read in the frame in which the supplement was written.
        let plain = try IMDFImport(.init(frame: options.frame ?? supplement.meant.frame))
            .site(from: withoutSupplement(archive))
        let merge = supplement.site(with: plain.document)
        var imported = ImportedSite(document: merge.document.inOrderOfIDs, report: plain.report)
        for conflict in merge.report.conflicts {
            imported.report.note(
                conflict.id, .init(rawValue: conflict.reason.rawValue),
                "\(conflict.kind) \(conflict.field ?? "") stays as the archive's own file has it")
        }
        return try imported.checked()
    }

    private static func withoutSupplement(_ archive: IMDFArchive) -> IMDFArchive {
        var plain = archive
        plain.files.removeAll { $0.name == name }
        plain.editManifest { extensions in extensions.removeAll { $0 == .text(extensionName) } }
        return plain
    }

    private static func supplement(of archive: IMDFArchive) throws(ImportRefusal) -> SiteSupplement?
    {
        guard let file = archive.files.first(where: { $0.name == name }),
            case .value(let value) = file.content
        else { return nil }
        do throws(WireFault) {
            return SiteSupplement(
                said: try SiteDocument(json: value["said"].json),
                meant: try SiteDocument(json: value["meant"].json))
        } catch {
            throw ImportRefusal(.malformed, "\(file.path): \(error.detail)")
        }
    }

    fileprivate static func file(_ supplement: SiteSupplement, beside path: String)
        -> IMDFArchive.File
    {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func value(_ document: SiteDocument) -> PropertyValue {
            (try? PropertyValue(json: document.json)) ?? .null
        }
        return IMDFArchive.File(
            path: "\(folder)\(name).json",
            content: .value(["said": value(supplement.said), "meant": value(supplement.meant)]))
    }

    fileprivate static func declare(_ extensions: inout [PropertyValue]) {
        extensions.append(.text(extensionName))
    }
}

extension IMDFArchive {
    fileprivate mutating func add(_ supplement: SiteSupplement) {
        let manifest = files.first { $0.name == "manifest" }?.path ?? ""
        files.append(IMDFExchange.file(supplement, beside: manifest))
        editManifest(IMDFExchange.declare)
    }

    fileprivate mutating func editManifest(_ edit: (inout [PropertyValue]) -> Void) {
        guard let index = files.firstIndex(where: { $0.name == "manifest" }),
            case .value(var manifest) = files[index].content
        else { return }
        let before = manifest["extensions"].list
        var extensions = before
        edit(&extensions)
        guard extensions != before else { return }
        manifest["extensions"] = extensions.isEmpty ? .null : .list(extensions)
        files[index].content = .value(manifest)
    }
}
