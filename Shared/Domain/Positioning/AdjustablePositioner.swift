/// A positioner with parameters, as in `knn:distance=euclidean,k=5`.
public protocol AdjustablePositioner: Positioner {
    /// By name.
    var parameters: [PositionerParameter] { get }

    /// The same with other values; what is not given stays as it is. Its name says the values. Nil
    /// for a name or a value that does not fit.
    func adjusted(_ values: [String: String]) -> (any Positioner)?
}

/// What can be chosen of a positioner.
public struct PositionerParameter: Hashable, Sendable {
    public var name: String
    /// In words, such as `1 to 1000`.
    public var values: String

    public init(name: String, values: String) {
        self.name = name
        self.values = values
    }
}

extension AdjustablePositioner {
    /// `base` and the values by parameter, such as `knn-distance-euclidean-k-5`.
    static func name(_ base: String, _ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.reduce(base) { "\($0)-\($1.key)-\($1.value)" }
    }
}
