/// A positioner with parameters, as in `knn:distance=euclidean,k=5`.
public protocol AdjustablePositioner: Positioner {
    /// The parameters that can be set, ordered by name.
    var parameters: [PositionerParameter] { get }

    /// The same positioner with other parameter values. Parameters that are not given keep theirs.
    /// The values become part of its name. Nil for an unknown parameter or a value out of range.
    func adjusted(_ values: [String: String]) -> (any Positioner)?
}

/// A parameter of a positioner, for help texts.
public struct PositionerParameter: Hashable, Sendable {
    public var name: String
    /// The allowed values as text for people, such as `1 to 1000`.
    public var values: String

    public init(name: String, values: String) {
        self.name = name
        self.values = values
    }
}

extension AdjustablePositioner {
    /// A name made of `base` and the values, ordered by parameter, such as
    /// `knn-distance-euclidean-k-5`.
    static func name(_ base: String, _ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.reduce(base) { "\($0)-\($1.key)-\($1.value)" }
    }
}
