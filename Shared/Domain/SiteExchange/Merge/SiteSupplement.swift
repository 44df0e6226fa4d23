import Events
public import Site

/// The facts of a site that a format can't express. It is written beside a plain file of that
/// format, and together they are the whole site.
///
/// It has two versions of each record that the plain file can't express exactly: the version in the
/// plain file, and the site's own. If someone changes the plain file in another program, that
/// change is merged into the site's version.
public struct SiteSupplement: Hashable, Sendable {
    /// The records that differ, as a reader of the plain file gets them.
    public let said: SiteDocument
    /// The same records, as the site has them.
    public let meant: SiteDocument

    public init(said: SiteDocument, meant: SiteDocument) {
        self.said = said
        self.meant = meant
    }

    /// Nil if the plain file expresses the whole site, apart from the order of records.
    ///
    /// - Parameter plain: the plain file as it is read.
    public init?(of site: SiteDocument, beside plain: SiteDocument) {
        said = chosen(.differing, plain, site)
        meant = chosen(.differing, site, plain)
        if said == meant { return nil }
    }

    /// The site that the plain file and this supplement give together.
    public func site(with plain: SiteDocument) -> ImportMerge {
        let rest = chosen(.unnamed, chosen(.unnamed, plain, said), meant)
        return ImportMerge(
            base: chosen(.both, said, rest), imported: plain,
            current: chosen(.both, meant, rest))
    }
}

/// The choice of records from two lists.
private enum RecordsChoice {
    /// Records of the first list that the second does not have in the same form.
    case differing
    /// Records of the first list whose ids the second does not have.
    case unnamed
    /// Records of the second list, then those of the first.
    case both

    func callAsFunction<Record: SiteRecord>(_ one: [Record], _ other: [Record]) -> [Record] {
        switch self {
        case .differing:
            let known = Set(other)
            return one.filter { !known.contains($0) }
        case .unnamed:
            let known = Set(other.map(\.idText))
            return one.filter { !known.contains($0.idText) }
        case .both: return other + one
        }
    }
}

/// The first document with the chosen records of both.
private func chosen(
    _ choice: RecordsChoice, _ one: SiteDocument, _ other: SiteDocument
) -> SiteDocument {
    var document = one
    func choose<Record: SiteRecord>(_: Record.Type) {
        document[keyPath: Record.records] = choice(
            one[keyPath: Record.records], other[keyPath: Record.records])
    }
    for type in RecordKind.all { choose(type) }
    return document
}
