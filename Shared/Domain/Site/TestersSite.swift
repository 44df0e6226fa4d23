public import Events

/// The site that a draft is shown to testers as: `museum.test` of `museum`.
extension SiteID {
    private static let testersSuffix = ".test"

    /// The id that testers see the site's draft under; nil where the site's own id is too long, or
    /// is already such a one.
    public var ofTesters: SiteID? {
        tested == nil ? SiteID(validating: text + Self.testersSuffix) : nil
    }

    /// The site whose draft this one shows; nil for a site of its own. Nobody publishes a site
    /// under such an id.
    public var tested: SiteID? {
        let (bytes, suffix) = (text.utf8, Self.testersSuffix.utf8)
        guard bytes.last == suffix.last, bytes.count > suffix.count,
            bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        return SiteID(String(text.dropLast(suffix.count)))
    }
}
