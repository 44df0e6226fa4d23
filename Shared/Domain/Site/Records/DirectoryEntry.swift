public import Events

/// A department, a service or an office, with all its places.
public struct DirectoryEntry: Hashable, Sendable {
    public var id: DirectoryID
    /// department, service, office, shop or another word, by which people browse.
    public var kind: String
    public var name: String
    public var names: Translations
    /// The entry that this one belongs to.
    public var parent: DirectoryID?
    public var places: [PlaceReference]
    /// As OpenStreetMap's key `opening_hours` writes it.
    public var openingHours: String?
    public var website: String?
    public var telephone: String?

    public init(
        id: DirectoryID, kind: String, name: String, names: Translations = Translations(),
        parent: DirectoryID? = nil, places: [PlaceReference] = [], openingHours: String? = nil,
        website: String? = nil, telephone: String? = nil
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
    }
}
