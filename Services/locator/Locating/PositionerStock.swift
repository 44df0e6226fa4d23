import Devices
import Events
import Positioning

/// The positioners that the operator allows, ready to work. Each site has those that it selected.
struct PositionerStock: Sendable {
    /// The default comes first.
    let all: [WorkingPositioner]
    let names: AllowedPositioners
    private let byName: [String: WorkingPositioner]

    /// - Parameter all: not empty; the default comes first.
    init(_ all: [WorkingPositioner]) {
        self.all = all
        names = AllowedPositioners(
            standard: all[0].name, others: all.dropFirst().map(\.name))
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> WorkingPositioner? { byName[name] }

    /// The positioners of a site, the served one first.
    func working(for selected: PositionerSelected?) -> [WorkingPositioner] {
        let selection = names.allowed(selected?.selection ?? PositionerSelection())
        return ([names.served(by: selection)] + selection.beside).compactMap { byName[$0] }
    }

    /// The names that a site selected and the operator does not allow.
    func missing(in selected: PositionerSelected?) -> [String] {
        guard let selection = selected?.selection else { return [] }
        return ([selection.served].compactMap(\.self) + selection.beside)
            .filter { !names.contains($0) }
    }

    /// Whether locating may block.
    var isBlocking: Bool { all.contains { $0.isProgram } }

    /// The most programs that one scan may wait for.
    var mostPrograms: Int {
        min(all.count { $0.isProgram }, 1 + PositionerSelection.mostBeside)
    }
}
