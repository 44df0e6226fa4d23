import Events
import Site

/// The languages in which a site's maps differ. Tags that give the same map become one tag, so that
/// a client can't have the same map drawn again and again under new tags.
struct MapLanguages: Sendable {
    /// The languages with words of their own on every map, beside English.
    private static let words: Set<String> = ["cy", "de"]

    private let tags: Set<String>
    private let languages: Set<String>

    init(_ document: SiteDocument) {
        var tags: Set<String> = []
        func collect(_ names: Translations) { tags.formUnion(names.byLanguage.keys) }
        collect(document.names)
        for building in document.buildings { collect(building.names) }
        for floor in document.floors { collect(floor.names) }
        for room in document.rooms { collect(room.names) }
        for zone in document.zones { collect(zone.names) }
        for location in document.locations { collect(location.names) }
        for connection in document.connections { collect(connection.names) }
        for entry in document.directory { collect(entry.names) }
        self.tags = tags
        languages = Set(tags.map(Self.language)).union(Self.words)
    }

    /// The tag under which the same map is drawn; nil for plain names and English words.
    func normalised(_ tag: String?) -> String? {
        guard let tag else { return nil }
        if tags.contains(tag) { return tag }
        let language = Self.language(tag)
        return languages.contains(language) ? language : nil
    }

    /// The tag without country and script.
    private static func language(_ tag: String) -> String {
        tag.prefix { $0 != "-" }.lowercased()
    }
}
