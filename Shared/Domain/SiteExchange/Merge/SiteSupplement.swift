import Events
public import Site

/// What a site says beyond the words of a format: written beside a file, it makes the file the
/// whole site.
///
/// It holds the records that a reader of the plain file would get differently, as the reader gets
/// them and as they are meant. Whoever changes the plain file in another program is heard too: what
/// the file says then is merged into what is meant.
public struct SiteSupplement: Hashable, Sendable {
    /// What the plain file says where it differs from the site.
    public let said: SiteDocument
    /// What the site says there.
    public let meant: SiteDocument

    public init(said: SiteDocument, meant: SiteDocument) {
        self.said = said
        self.meant = meant
    }

    /// Nil where the plain file says all of it; the order of records apart.
    ///
    /// - Parameter plain: the plain file as it is read.
    public init?(of site: SiteDocument, beside plain: SiteDocument) {
        said = chosen(.differing, plain, site)
        meant = chosen(.differing, site, plain)
        if said == meant { return nil }
    }

    /// The site that a plain file and this are together.
    public func site(with plain: SiteDocument) -> ImportMerge {
        let rest = chosen(.unnamed, chosen(.unnamed, plain, said), meant)
        return ImportMerge(
            base: chosen(.both, said, rest), imported: plain,
            current: chosen(.both, meant, rest))
    }
}

/// Which of one document's records are taken together with another's.
private enum RecordsChoice {
    /// Those of the one that the other has not, or has differently.
    case differing
    /// Those of the one whose ids the other has not.
    case unnamed
    /// Those of the other, then those of the one.
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

/// The one document with other records.
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
