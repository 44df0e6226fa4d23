import Events
import Synchronization

/// A published version of a site as one kind of reader may see it. Answers are made of it.
public struct SeenSite: Sendable {
    public let version: Int
    public let reader: Reader
    public let index: SiteIndex
    /// Whether something of the site is not for the reader.
    public let isFiltered: Bool

    /// A mark for the ETag of answers, since readers get different ones under the same address.
    public var mark: String { isFiltered ? "-\(reader.rawValue)" : "" }
}

/// The indexes of a site for its readers. Those from which nothing is hidden share one.
final class SiteViews: Sendable {
    private let whole: SiteIndex
    private let made = Mutex<[Reader: SiteIndex]>([:])

    init(_ whole: SiteIndex) { self.whole = whole }

    func index(for reader: Reader) -> SiteIndex {
        guard reader < .editor else { return whole }
        // A second reader waits for the first one's index. It takes as long as reading the site.
        return made.withLock { made in
            if let known = made[reader] { return known }
            let index = make(for: reader)
            made[reader] = index
            return index
        }
    }

    private func make(for reader: Reader) -> SiteIndex {
        guard whole.document.isFiltered(for: reader) else { return whole }
        let seen = whole.document.seen(by: reader)
        let unseen = UnseenOpenings(of: whole, in: seen)
        // No rest of a valid document has a fault; if one had, the reader would see nothing.
        return (try? SiteIndex(seen, without: unseen)) ?? SiteIndex.empty(like: whole)
    }
}

extension SiteIndex {
    /// A site of the same name and frame without any record.
    fileprivate static func empty(like other: SiteIndex) -> SiteIndex {
        let document = other.document
        let bare = SiteDocument(
            name: document.name, originLatitude: document.originLatitude,
            originLongitude: document.originLongitude, bearingDegrees: document.bearingDegrees)
        do {
            return try SiteIndex(bare)
        } catch {
            preconditionFailure("a name and a frame that were valid are valid")
        }
    }
}
