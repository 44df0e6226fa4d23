/// The positioners that can be chosen by name.
///
/// A name stands alone (`knn`), or with the parameters of an `AdjustablePositioner` in any order:
/// `knn:distance=euclidean,representation=positive,k=9`. Parameters that are not given keep their
/// defaults.
public struct PositionerRegistry: Sendable {
    /// The positioner of a site that chooses none.
    public static let defaultName = "auto"
    /// All positioners that come with the program.
    public static let standard = PositionerRegistry(
        snapshots.positioners + [AutomaticPositioner(), Track(over: ChosenPositioner())])
    /// The positioners that locate each scan alone, without a track.
    static let snapshots = PositionerRegistry([
        BestMatch(.allTied), BestMatch(.firstRow), Blend(), CellRegression(),
        ChosenPositioner(), GaussianLikelihood(), Mixture(), NearestNeighbours(), Trilateration(),
    ])

    private let byName: [String: any Positioner]

    /// If two positioners have the same name, the later one is used.
    public init(_ positioners: [any Positioner]) {
        byName = Dictionary(positioners.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// All names in alphabetical order, without parameters.
    public var names: [String] { byName.keys.sorted() }

    private var positioners: [any Positioner] { names.compactMap { byName[$0] } }

    /// The positioner that the text names; nil where `positioner` throws.
    public subscript(text: String) -> (any Positioner)? { try? positioner(text) }

    /// The positioner that the text names.
    ///
    /// - Throws: `UnknownPositioner`, which lists the names or parameters to choose from.
    public func positioner(_ text: String) throws(UnknownPositioner) -> any Positioner {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let positioner = byName[name] else {
            let known = names.joined(separator: ", ")
            throw UnknownPositioner("\(name) is not a positioner; known are \(known)")
        }
        guard parts.count > 1 else { return positioner }
        guard let adjustable = positioner as? any AdjustablePositioner else {
            throw UnknownPositioner("\(name) takes no parameters")
        }
        var values: [String: String] = [:]
        for item in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, values.updateValue(pair[1], forKey: pair[0]) == nil,
                adjustable.adjusted([pair[0]: pair[1]]) != nil
            else { throw misfit(String(item), name) }
        }
        guard let adjusted = adjustable.adjusted(values) else {
            throw misfit(String(parts[1]), name)
        }
        return adjusted
    }

    private func misfit(_ text: String, _ name: String) -> UnknownPositioner {
        let known = parameters(of: name).map { "\($0.name)=(\($0.values))" }
        return UnknownPositioner(
            "\(text) does not fit \(name), which takes \(known.joined(separator: ", "))")
    }

    private func parameters(of name: String) -> [PositionerParameter] {
        (byName[name] as? any AdjustablePositioner)?.parameters ?? []
    }
}

/// The text names no positioner, or parameters that do not fit it. The description is for people.
public struct UnknownPositioner: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
