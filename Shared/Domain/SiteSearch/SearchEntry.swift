public import Events
public import Site

/// One thing of a site that can be looked for, with all that it is called.
public struct SearchEntry: Hashable, Sendable {
    /// In the order in which equally good results are listed.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case building, directory, zone, room, floor, connection, location
    }

    public var kind: Kind
    /// What it is among its kind, in the site's own words: department, toilet, lift.
    public var category: String?
    /// Unique among the entries of its kind.
    public var id: String
    /// Those that it is on or stops at; none for what is out of doors.
    public var floors: [FloorID]
    public var name: String
    public var names: Translations
    /// Further texts that it is found by, if less well than by its names: its category, its
    /// building, its id.
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

    /// The name in the language, else the plain one.
    public func name(in language: String?) -> String { names.text(in: language) ?? name }
}
