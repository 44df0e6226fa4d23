public import Events
public import Site

/// One thing of a site that can be searched for, with all its names.
public struct SearchEntry: Hashable, Sendable {
    /// Equally good results are listed in this order.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case building, directory, zone, room, floor, connection, location
    }

    public var kind: Kind
    /// The kind of the thing in the site's own words: department, toilet, lift.
    public var category: String?
    /// Unique among the entries of its kind.
    public var id: String
    /// The floors that the thing is on or stops at; empty outdoors.
    public var floors: [FloorID]
    public var name: String
    public var names: Translations
    /// Further texts that find the entry, with a penalty: its category, its building, its id.
    public var extraTexts: [String]

    public init(
        kind: Kind, category: String? = nil, id: String, floors: [FloorID] = [], name: String,
        names: Translations = Translations(), extraTexts: [String] = []
    ) {
        self.kind = kind
        self.category = category
        self.id = id
        self.floors = floors
        self.name = name
        self.names = names
        self.extraTexts = extraTexts
    }

    /// The name in the language, or else the plain one.
    public func name(in language: String?) -> String { names.text(in: language) ?? name }
}
