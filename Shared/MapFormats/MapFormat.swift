import Events
public import Geometry
public import Site
public import SiteExchange

/// A format of maps that can be read as sites. Each is in a file of its own, `MapFormat+Name.swift`.
public struct MapFormat: Sendable {
    /// The word that asks for it, such as `osm`.
    public let name: String
    /// What files it reads, for people.
    public let summary: String
    /// Reads the file whole. Throws what is wrong with it; then nothing is imported.
    public let read: @Sendable (_ path: String, _ options: Options) throws -> ImportedSite
    /// The site with what the file says of a part of it; nil for a file that is a site of its own.
    public var readPart:
        @Sendable (_ path: String, _ site: SiteDocument, _ options: Options) throws ->
            ImportedSite? = { _, _, _ in nil }

    public struct Options: Sendable {
        /// The site's name, where the file's own is not wanted.
        public var siteName: String?
        /// Of buildings whose time zone the file does not say.
        public var timeZone: String
        /// That of the site that the map goes into; nil for a new one.
        public var frame: LocalFrame?

        public init(
            siteName: String? = nil, timeZone: String = "Etc/UTC", frame: LocalFrame? = nil
        ) {
            self.siteName = siteName
            self.timeZone = timeZone
            self.frame = frame
        }
    }

    public static let all: [MapFormat] = [.openStreetMap, .imdf, .geojson]

    public static func named(_ name: String) -> MapFormat? { all.first { $0.name == name } }
}
