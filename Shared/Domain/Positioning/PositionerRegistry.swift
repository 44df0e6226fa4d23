/// The positioners that can be asked for by name.
public struct PositionerRegistry: Sendable {
    /// What a site gets that asks for nothing else.
    public static let defaultName = "knn"
    /// All that come with the program.
    public static let standard = PositionerRegistry([NearestNeighbours()])

    private let byName: [String: any Positioner]

    /// Of two with one name the later counts.
    public init(_ positioners: [any Positioner]) {
        byName = Dictionary(positioners.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Sorted.
    public var names: [String] { byName.keys.sorted() }

    public subscript(name: String) -> (any Positioner)? { byName[name] }
}
