import Events

/// The facts that set one kind of record of a site apart from the others.
///
/// Whatever is done to all kinds is done in a loop over `RecordKind.all`: a kind that stands there
/// is read, written, merged, compared, checked, removed, routed and exported.
public struct RecordKind: Sendable {
    /// The member that identifies a record among those of its kind.
    public enum Key: Sendable {
        case id, address

        /// The member of a document that holds it.
        public var member: StaticString {
            switch self {
            case .id: "id"
            case .address: "address"
            }
        }
    }

    /// How a map shows a record: as the polygon of `outline`, as the point of `x` and `y`, as a
    /// line of `stops` and `line`, or not at all.
    public enum Shape: Sendable {
        case area, point, way, none
    }

    /// One record of it, for programs: such as `floor-plan`.
    public let name: String
    /// Several of them, for people.
    public let many: String
    /// The name of their list in documents and answers.
    public let list: StaticString
    /// The member of a document that the list lies in under another name; nil where it lies in
    /// none.
    public let nested: (member: StaticString, list: StaticString)?
    public let key: Key
    public let shape: Shape
    /// How many a site may hold.
    public let most: Int
    /// Whether whoever may see the map may read them; else only who may see the whole site.
    public let isOnMap: Bool

    init(
        _ name: String, _ many: String, list: StaticString,
        nested: (member: StaticString, list: StaticString)? = nil, key: Key = .id,
        shape: Shape = .none, most: Int, isOnMap: Bool
    ) {
        self.name = name
        self.many = many
        self.list = list
        self.nested = nested
        self.key = key
        self.shape = shape
        self.most = most
        self.isOnMap = isOnMap
    }

    /// One record of it, for people.
    public var title: String { String(name.map { $0 == "-" ? " " : $0 }) }

    /// The segment of paths that asks for them: the list's name in small letters, such as
    /// `floor-plans`.
    public var path: String {
        "\(list)".reduce(into: "") { path, letter in
            path += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
    }

    /// The thing of this kind that the text names; nil when the text is no such id.
    public func thing(named text: String) -> SiteThing? {
        switch key {
        case .id: isWellFormedIdentifier(text) ? SiteThing(self, text) : Optional.none
        case .address:
            AccessPointPlace.address(text).map { SiteThing(self, AccessPointPlace.text(of: $0)) }
        }
    }
}
