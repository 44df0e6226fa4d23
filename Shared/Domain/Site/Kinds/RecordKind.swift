import Events

/// The facts that distinguish one kind of record of a site from the others.
///
/// Code for all kinds loops over `RecordKind.all`. A kind that is in that list is read, written,
/// merged, compared, checked, removed, routed and exported.
public struct RecordKind: Sendable {
    /// The member that identifies a record among those of its kind.
    public enum Key: Sendable {
        case id, address

        /// The name of that member in documents.
        public var member: StaticString {
            switch self {
            case .id: "id"
            case .address: "address"
            }
        }
    }

    /// The shape of a record on a map. An area is the polygon of `outline`, a point is `x` and `y`,
    /// and a way is the line of `stops` and `line`.
    public enum Shape: Sendable {
        case area, point, way, none
    }

    /// The kind's name for programs, such as `floor-plan`.
    public let name: String
    /// The kind's plural for people, such as `floor plans`.
    public let many: String
    /// The name of the list of such records in documents and answers.
    public let list: StaticString
    /// For a list inside another member of the document: that member, and the list's name in it.
    /// Nil for a list of its own.
    public let nested: (member: StaticString, list: StaticString)?
    public let key: Key
    public let shape: Shape
    /// The most records of this kind in a site.
    public let most: Int
    /// Whether everybody who may read the map may read these records. Otherwise a role for the
    /// whole site is needed.
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

    /// The kind's singular for people, such as `floor plan`.
    public var title: String { String(name.map { $0 == "-" ? " " : $0 }) }

    /// The segment of URL paths for these records: the list's name in small letters, such as
    /// `floor-plans`.
    public var path: String {
        "\(list)".reduce(into: "") { path, letter in
            path += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
    }

    /// The thing of this kind with this id; nil if the text is not a well-formed id.
    public func thing(named text: String) -> SiteThing? {
        switch key {
        case .id: isWellFormedIdentifier(text) ? SiteThing(self, text) : Optional.none
        case .address:
            AccessPointPlace.address(text).map { SiteThing(self, AccessPointPlace.text(of: $0)) }
        }
    }
}
