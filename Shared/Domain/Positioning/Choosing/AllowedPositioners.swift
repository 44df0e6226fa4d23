public import Events

/// The positioners that the operator allows, by their names, and the rules for choosing among them.
/// The rules are pure: they take a selection, and return another one or a refusal.
public struct AllowedPositioners: Hashable, Sendable {
    /// The name of the positioner that serves a site without a selection.
    public let standard: String
    /// All names, the default first, each once.
    public let names: [String]

    public init(standard: String, others: [String]) {
        self.standard = standard
        names = [standard] + others.filter { $0 != standard }
    }

    public func contains(_ name: String) -> Bool { names.contains(name) }

    /// The name of the positioner that a selection serves.
    public func served(by selection: PositionerSelection) -> String {
        selection.served ?? standard
    }

    /// Checks a selection that somebody asks for.
    public func check(_ selection: PositionerSelection) throws(SelectionRefusal) {
        guard selection.beside.count <= PositionerSelection.mostBeside else {
            throw .tooManyBeside
        }
        var known: Set<String> = []
        for name in [served(by: selection)] + selection.beside {
            guard contains(name) else { throw .notAllowed(name, allowed: names) }
            guard known.insert(name).inserted else { throw .namedTwice(name) }
        }
    }

    /// The selection that serves a positioner from beside. The one served so far takes its place.
    public func promoting(
        _ name: String, in selection: PositionerSelection
    ) throws(SelectionRefusal) -> PositionerSelection {
        guard let index = selection.beside.firstIndex(of: name) else { throw .notBeside(name) }
        var promoted = selection
        promoted.beside[index] = served(by: selection)
        promoted.served = name
        try check(promoted)
        return promoted
    }

    /// A former selection, to go back to.
    ///
    /// - Parameters:
    ///   - revision: nil for the one before the present one, or for none at all after the first.
    ///   - known: the selections of the site, the newest first.
    public func former(
        _ revision: Int?, of known: [PositionerSelected]
    ) throws(SelectionRefusal) -> PositionerSelection {
        guard let newest = known.first else { throw .noFormer(revision) }
        let selection: PositionerSelection
        if let former = known.first(where: { $0.revision == revision ?? newest.revision - 1 }) {
            selection = former.selection
        } else if revision == nil, newest.revision == 1 {
            selection = PositionerSelection()
        } else {
            throw .noFormer(revision)
        }
        try check(selection)
        return selection
    }

    /// The most selections of a site within an hour. Each may let every locator prepare positioners
    /// anew, and the maps of other sites wait meanwhile.
    static let mostAnHour = 10
    /// The same for steps back, so that ten are left when the others are used up.
    static let mostReturnsAnHour = 2 * mostAnHour
    private static let hourMicroseconds: Int64 = 3_600_000_000

    /// Checks that a site may have this selection now.
    ///
    /// The default alone is always permitted: a bad positioner must not stay for want of changes.
    /// Others are limited, and so is the way from the default to its own name.
    ///
    /// - Parameters:
    ///   - known: the selections of the site, the newest first.
    ///   - isReturn: whether the selection goes back to a former one.
    public func checkPace(
        to selection: PositionerSelection, of known: [PositionerSelected], isReturn: Bool,
        at moment: Timestamp
    ) throws(SelectionRefusal) {
        let present = known.first?.selection ?? PositionerSelection()
        // The way away from the empty selection counts, so nobody comes back to it without an end.
        if selection == PositionerSelection() { return }
        if isDefault(selection), !isDefault(present) { return }
        let most = isReturn ? Self.mostReturnsAnHour : Self.mostAnHour
        guard known.count >= most else { return }
        let age = moment - known[most - 1].selectedAt
        guard (0..<Self.hourMicroseconds).contains(age) else { return }
        throw .tooMany(most, seconds: Int((Self.hourMicroseconds - age + 999_999) / 1_000_000))
    }

    private func isDefault(_ selection: PositionerSelection) -> Bool {
        served(by: selection) == standard && selection.beside.isEmpty
    }

    /// The selection as it can be worked with. A name that the operator no longer allows is left
    /// out; in place of such a served one is the default.
    public func allowed(_ selection: PositionerSelection) -> PositionerSelection {
        let served = selection.served.flatMap { contains($0) ? $0 : nil }
        let beside = selection.beside.filter { contains($0) && $0 != served ?? standard }
        return PositionerSelection(served: served, beside: beside)
    }
}

/// Why a selection is refused.
public enum SelectionRefusal: Error, Hashable, Sendable {
    case notAllowed(String, allowed: [String])
    case namedTwice(String)
    case tooManyBeside
    /// The positioner to promote is not beside the served one.
    case notBeside(String)
    /// There is no former selection with this number, or none at all.
    case noFormer(Int?)
    /// There were so many within an hour; the next may come after so many seconds.
    case tooMany(Int, seconds: Int)
}
