public import Events
public import JSON
import Site

/// A dead letter without its record, as lists show it.
public struct ListedLetter: Listed, Hashable, Sendable {
    public static var listName: StaticString { "letters" }

    /// Topic, partition and offset of the record.
    public var id: String
    public var consumer: String
    public var code: String
    public var detail: String
    public var at: Timestamp
    /// Nil where the record names no site, or more than one.
    public var site: SiteID?
    /// Nil while the record has not been put back.
    public var putBackAt: Timestamp?
    /// Whether the record had been put back before and was set aside again.
    public var wasPutBack: Bool
    public var bytes: Int
    /// Whether the letter holds the complete record.
    public var isWhole: Bool

    public init(
        _ letter: DeadLettered, site: SiteID?, wasPutBack: Bool, isWhole: Bool
    ) {
        id = letter.id
        consumer = letter.consumer ?? ""
        code = letter.code
        detail = letter.detail
        at = letter.at
        self.site = site
        self.wasPutBack = wasPutBack
        self.isWhole = isWhole
        bytes = letter.value?.count ?? 0
    }

    public var cursor: String? { "\(id)/\(consumer)" }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("consumer", consumer)
        writer.field("code", code)
        writer.field("detail", detail)
        writer.field("at", microseconds: at.microseconds)
        writer.field("site", site?.text)
        writer.field("putBackAt", microseconds: putBackAt?.microseconds)
        writer.field("wasPutBack", wasPutBack)
        writer.field("bytes", bytes)
        writer.field("isWhole", isWhole)
    }
}

extension DeadLettered {
    /// The site that the record is about. Nil where it names none, or more than one: then only
    /// administrators of all sites see the letter.
    ///
    /// A testers' site counts as the site that it tests.
    ///
    /// - Parameter sender: the site of the record's sender or key; nil where it is unknown.
    public func site(sender: SiteID?) -> SiteID? {
        let named = value.flatMap { value in
            try? withJSON(value) { (root) throws(WireFault) -> SiteID? in
                guard let object = root.object else { return nil }
                return try FieldReader(object).optional("site")?.identifier()
            }
        }
        let sites = Set([named ?? nil, sender].compactMap(\.self).map { $0.tested ?? $0 })
        return sites.count == 1 ? sites.first : nil
    }
}
