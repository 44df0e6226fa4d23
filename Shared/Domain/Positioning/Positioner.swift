public import Site

/// A way to tell a place from a scan: the plug-in point of positioning.
///
/// As a whole it is one pure function, `(scan, radio map, state, seed) -> (estimate, state)`; what
/// depends on the radio map and site alone is worked out once, by `prepare`.
public protocol Positioner: Sendable {
    /// Named in every position, also in those of chosen parameters: lower case, digits, dots and
    /// hyphens, so that it fits into a topic's name and a column of a table.
    var name: String { get }

    /// Makes the positioner ready for one radio map. The map's `fault` must be nil.
    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner

    /// Whether it works, in whole or in part, as each radio map chooses for itself.
    var followsChoice: Bool { get }

    /// Whether it looks at `RadioScan.evidence`.
    var usesEvidence: Bool { get }

    /// Whether it locates on a site that was never surveyed. Such a site's radio map is empty.
    var worksWithoutMap: Bool { get }

    /// The same, by a choice that was made before instead of one of its own.
    ///
    /// - Parameter choice: nil while none was made.
    func following(_ choice: String?) -> any Positioner
}

extension Positioner {
    public var followsChoice: Bool { false }
    public var usesEvidence: Bool { false }
    public var worksWithoutMap: Bool { false }
    public func following(_ choice: String?) -> any Positioner { self }
}

/// A positioner with its radio map.
public protocol PreparedPositioner: Sendable {
    /// Where the scan was made. Equal arguments give equal results, whatever the scratch holds.
    ///
    /// - Parameters:
    ///   - state: what the same positioner returned for the device's previous scan; else `.empty`.
    ///   - seed: the only source of chance.
    ///   - scratch: memory to reuse between calls; each caller that runs at the same time has its
    ///     own.
    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState)

    /// What answers single questions in its place, so that a question that it can't bear makes none
    /// of the scans lost that keep coming; nil where it answers them itself. Blocks where that has
    /// to be started first.
    var ofQuestions: (any PreparedPositioner)? { get }
}

extension PreparedPositioner {
    public var ofQuestions: (any PreparedPositioner)? { nil }

    /// The same with new scratch memory, for single questions.
    public func locate(_ scan: RadioScan, state: PositionerState = .empty, seed: UInt64 = 0)
        -> Estimate
    {
        var scratch = PositionerScratch()
        return locate(scan, state: state, seed: seed, scratch: &scratch).estimate
    }
}

/// What a positioner remembers of a device, in a form of its own that can be stored.
public struct PositionerState: Hashable, Sendable {
    /// Nothing yet; what positioners of single scans always return.
    public static let empty = PositionerState(bytes: [])

    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
}
