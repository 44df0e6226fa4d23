public import Events
public import JSON
public import Site

/// A published site.
public struct ListedSite: Listed {
    public static var listName: StaticString { "sites" }

    private let id: String
    private let name: String
    private let names: Translations
    private let version: Int
    private let publishedAt: Timestamp

    public init(
        id: String, name: String, names: Translations = Translations(), version: Int,
        publishedAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.version = version
        self.publishedAt = publishedAt
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        if !names.isAbsent {
            writer.name("names")
            names.write(to: &writer)
        }
        writer.field("version", version)
        writer.field("publishedAt", microseconds: publishedAt.microseconds)
    }
}

/// A published version of a site.
public struct ListedVersion: Listed {
    public static var listName: StaticString { "versions" }

    private let version: Int
    private let publishedAt: Timestamp
    private let publishedBy: String?

    public init(version: Int, publishedAt: Timestamp, publishedBy: String?) {
        self.version = version
        self.publishedAt = publishedAt
        self.publishedBy = publishedBy
    }

    /// The newest version comes first, and version 1 is the last.
    public var cursor: String? { version > 1 ? String(version) : nil }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("version", version)
        writer.field("publishedAt", microseconds: publishedAt.microseconds)
        writer.field("publishedBy", publishedBy)
    }
}
