public import Events

/// Which facts fit which kinds of connections.
///
/// A fact of another kind says nothing, or something wrong. Nobody hears of a handrail on a door,
/// and a lift of the surface `gravel` is left out for wheelchairs.
extension ConnectionRecord {
    /// The kinds that people walk, and so those with a ground and a slope.
    private static let walked: [Kind] = [.walk, .stairs, .ramp, .escalator]

    /// The kinds that each fact fits, by its member in documents. All other facts fit every kind.
    private static let kindsOfFacts: [String: [Kind]] = [
        "slope": walked, "riseMetres": walked, "leads": walked, "offGround": walked,
        "surface": walked, "handrail": walked, "tactilePaving": walked + [.door],
        "steps": [.stairs], "automatic": [.door, .lift, .platformLift],
        "doorKind": [.door], "opens": [.door], "glass": [.door],
    ]

    /// The fields of each kind that it can't have.
    private static let misfits: [Kind: [RecordField<Self>]] = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { kind in
            (kind, fields.filter { kindsOfFacts[$0.name]?.contains(kind) == false })
        })

    /// States no fact.
    private static let blank = Self(id: ConnectionID(""), kind: .walk, stops: [])

    /// The stated facts that do not fit, by their members in documents; mostly none.
    public var unfittingFacts: [String] {
        var facts = (Self.misfits[kind] ?? []).filter { !$0.isSame(self, Self.blank) }.map(\.name)
        // Only what has hinges opens to a side.
        if kind == .door, opens != nil, let doorKind, doorKind != .hinged { facts.append("opens") }
        return facts
    }

    /// The reason why a fact does not fit, as text for people.
    public func misfit(_ fact: String) -> String {
        if kind == .door, fact == "opens", let doorKind {
            return "\(fact) is a fact of hinged doors, not of \(doorKind.rawValue) ones"
        }
        let kinds = Self.kindsOfFacts[fact] ?? Kind.allCases
        return "\(fact) is no fact of the kind \(kind.rawValue), but of "
            + kinds.map(\.rawValue).joined(separator: ", ")
    }

    /// - Parameter facts: members in documents.
    fileprivate mutating func removeFacts(_ facts: [String]) {
        guard !facts.isEmpty else { return }
        for field in Self.fields where facts.contains(field.name) {
            field.copy(Self.blank, &self)
        }
    }
}

/// A fact of a connection that does not fit the connection's kind.
public struct UnfittingFact: Hashable, Sendable {
    public var connection: ConnectionID
    /// The member in documents, such as `handrail`.
    public var fact: String
    /// The reason, as text for people.
    public var detail: String
}

extension SiteDocument {
    /// The facts that do not fit their connections' kinds, except those that the former document
    /// has. So a site of older rules can still be edited.
    public func unfittingFacts(after former: SiteDocument? = nil) -> [UnfittingFact] {
        Self.unfittingFacts(of: connections, after: former)
    }

    /// Removes the facts that do not fit their connections' kinds, except those that the former
    /// document has, also on a connection that loses others.
    ///
    /// - Returns: the removed facts.
    @discardableResult
    public mutating func removeUnfittingFacts(
        after former: SiteDocument? = nil
    ) -> [UnfittingFact] {
        let facts = unfittingFacts(after: former)
        guard !facts.isEmpty else { return [] }
        let ofWays = Dictionary(grouping: facts, by: \.connection)
        for index in connections.indices {
            guard let found = ofWays[connections[index].id] else { continue }
            connections[index].removeFacts(found.map(\.fact))
        }
        return facts
    }

    /// - Throws: `SiteRefusal.invalid` with each of these facts that the former document lacks.
    public func checkFacts(after former: SiteDocument) throws(SiteRefusal) {
        try Self.checkFacts(of: connections, after: former)
    }

    static func checkFacts(
        of ways: [ConnectionRecord], after former: SiteDocument
    ) throws(SiteRefusal) {
        let faults = unfittingFacts(of: ways, after: former).prefix(SiteLimits.faultsReported).map {
            SiteFault(
                code: .factUnfitting, subject: "connection \(shown($0.connection.text))",
                detail: $0.detail)
        }
        guard faults.isEmpty else { throw .invalid(SiteFaults(faults)) }
    }

    private static func unfittingFacts(
        of ways: [ConnectionRecord], after former: SiteDocument?
    ) -> [UnfittingFact] {
        let found = ways.flatMap { way in
            way.unfittingFacts.map {
                UnfittingFact(connection: way.id, fact: $0, detail: way.misfit($0))
            }
        }
        guard let former, !found.isEmpty else { return found }
        let ids = Set(found.map(\.connection))
        var known: [ConnectionID: [String]] = [:]
        for way in former.connections where ids.contains(way.id) {
            known[way.id] = way.unfittingFacts
        }
        return found.filter { known[$0.connection]?.contains($0.fact) != true }
    }
}
