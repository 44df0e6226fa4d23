/// The positioners that can be asked for by name.
///
/// A name stands alone (`knn`), or with parameters of an `AdjustablePositioner`, in any order:
/// `knn:distance=euclidean,representation=positive,k=9`. What is not said keeps its default.
public struct PositionerRegistry: Sendable {
    /// What a site gets that asks for nothing else.
    public static let defaultName = "auto"
    /// All that come with the program.
    public static let standard = PositionerRegistry(
        snapshots.positioners + [Track(over: AutomaticPositioner())])
    /// Those of single scans.
    static let snapshots = PositionerRegistry([
        AutomaticPositioner(), BestMatch(.allTied), BestMatch(.firstRow), Blend(),
        CellRegression(), GaussianLikelihood(), NearestNeighbours(), Trilateration(),
    ])

    private let byName: [String: any Positioner]

    /// Of two with one name the later counts.
    public init(_ positioners: [any Positioner]) {
        byName = Dictionary(positioners.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Sorted, without parameters.
    public var names: [String] { byName.keys.sorted() }

    private var positioners: [any Positioner] { names.compactMap { byName[$0] } }

    /// Nil for what `positioner` refuses.
    public subscript(text: String) -> (any Positioner)? { try? positioner(text) }

    /// The positioner that the text asks for.
    ///
    /// - Throws: `UnknownPositioner`, which lists what there is.
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

/// A positioner that nobody knows, or that does not take what it was given; in words for people.
public struct UnknownPositioner: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
