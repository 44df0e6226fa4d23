public import Events

/// The id of the site that shows a draft to testers: `museum.test` for `museum`.
extension SiteID {
    private static let testersSuffix = ".test"

    /// The id of the site that shows this site's draft to testers. Nil if this id is too long, or
    /// already such an id.
    public var ofTesters: SiteID? {
        tested == nil ? SiteID(validating: text + Self.testersSuffix) : nil
    }

    /// The site whose draft this testers' site shows; nil if this is no testers' site. Editors
    /// can't publish a site under such an id.
    public var tested: SiteID? {
        let (bytes, suffix) = (text.utf8, Self.testersSuffix.utf8)
        guard bytes.last == suffix.last, bytes.count > suffix.count,
            bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        return SiteID(String(text.dropLast(suffix.count)))
    }
}
