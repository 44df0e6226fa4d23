public import Events

/// A department, a service or an office, with all its places.
public struct DirectoryEntry: Hashable, Sendable {
    public var id: DirectoryID
    /// department, service, office, shop or another word; people browse the directory by it.
    public var kind: String
    public var name: String
    public var names: Translations
    /// The entry that this one belongs to.
    public var parent: DirectoryID?
    public var places: [PlaceReference]
    /// The value of OpenStreetMap's key `opening_hours`; nil for always open.
    public var openingHours: String?
    public var website: String?
    public var telephone: String?
    /// For whom the entry is; nil for those who see one of its places.
    public var visibility: Visibility?

    public init(
        id: DirectoryID, kind: String, name: String, names: Translations = Translations(),
        parent: DirectoryID? = nil, places: [PlaceReference] = [], openingHours: String? = nil,
        website: String? = nil, telephone: String? = nil, visibility: Visibility? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.names = names
        self.parent = parent
        self.places = places
        self.openingHours = openingHours
        self.website = website
        self.telephone = telephone
        self.visibility = visibility
    }
}

extension DirectoryEntry: SiteRecord {
    public static let kind = RecordKind(
        "directory-entry", "directory entries", list: "directory", most: 50_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.directory }
    public static let fields: [RecordField<Self>] = [
        RecordField("kind", \.kind), RecordField("name", \.name),
        RecordField("names", languages: \.names), RecordField("parent", \.parent),
        RecordField("places", \.places), RecordField("openingHours", \.openingHours),
        RecordField("website", \.website), RecordField("telephone", \.telephone),
        RecordField("visibility", \.visibility),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] {
        (parent.map { [.directoryEntry($0)] } ?? []) + places.map(\.thing)
    }
    public var category: String? { kind }
    public var allNames: [String] { names.all(with: name) }

    /// An entry stays when its places are removed. It moves to the top level when its parent is
    /// removed.
    public func without(_ isGone: (SiteThing) -> Bool) -> Self? {
        var left = self
        left.places.removeAll { isGone($0.thing) }
        if let parent, isGone(.directoryEntry(parent)) { left.parent = nil }
        return left
    }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(kind, "kind")
        validation.checkText(name, "name")
        validation.checkNames(names)
        if let parent, parent == id || !validation.isKnown(.directoryEntry(parent)) {
            validation.add(.unknownParent, "the directory has no other entry \(shown(parent.text))")
        }
        validation.checkCount(places.count, "places")
        for place in places { validation.checkPlace(place) }
        validation.checkText(openingHours, "openingHours")
        validation.checkText(telephone, "telephone")
        validation.checkText(website, "website")
        // Pages show the website as a link; other schemes could run a script there.
        if let website, !website.hasPrefix("https://"), !website.hasPrefix("http://") {
            validation.add(.malformedWebsite, "a website starts with https:// or http://")
        }
    }
}

extension SiteThing {
    public static func directoryEntry(_ id: DirectoryID) -> Self {
        Self(DirectoryEntry.kind, id.text)
    }
}
