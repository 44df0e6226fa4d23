public import Site

/// An algorithm that estimates positions from scans: the plug-in point of positioning.
///
/// It works as one pure function, `(scan, radio map, state, seed) -> (estimate, state)`. Everything
/// that depends only on the radio map and the site is computed once, by `prepare`.
public protocol Positioner: Sendable {
    /// The name that every position states, also with chosen parameters. It has lower case letters,
    /// digits, dots and hyphens, so that it fits into a topic's name and a table's column.
    var name: String { get }

    /// Prepares the positioner for one radio map, whose `fault` must be nil.
    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner

    /// Whether each radio map chooses, in whole or in part, how this positioner works.
    var followsChoice: Bool { get }

    /// Whether it uses `RadioScan.evidence`.
    var usesEvidence: Bool { get }

    /// Whether it can locate on a site without surveys, whose radio map is empty.
    var worksWithoutMap: Bool { get }

    /// The same positioner with a choice that was made before, so that it makes none itself.
    ///
    /// - Parameter choice: the earlier choice; nil while none was made.
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
    /// The place where the scan was made. Equal arguments give equal results, whatever the scratch
    /// holds.
    ///
    /// - Parameters:
    ///   - state: the state that the same positioner returned for the device's previous scan;
    ///     otherwise `.empty`.
    ///   - seed: the only source of chance.
    ///   - scratch: memory to reuse between calls. Concurrent callers need one each.
    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState)

    /// Identifies everything that a state depends on and that it does not check by itself. Nil
    /// where a state is good only for this radio map, choice and version of the site.
    var stateBasis: String? { get }

    /// A separate positioner for single questions; nil where this one answers them itself. A
    /// question that makes it fail then costs no device its scans. Reading this property may block
    /// while that positioner starts.
    var ofQuestions: (any PreparedPositioner)? { get }
}

extension PreparedPositioner {
    public var stateBasis: String? { nil }
    public var ofQuestions: (any PreparedPositioner)? { nil }

    /// The same with new scratch memory, for single questions.
    public func locate(_ scan: RadioScan, state: PositionerState = .empty, seed: UInt64 = 0)
        -> Estimate
    {
        var scratch = PositionerScratch()
        return locate(scan, state: state, seed: seed, scratch: &scratch).estimate
    }
}

/// The memory of a positioner about one device, as bytes that can be stored. Only the positioner
/// can read them.
public struct PositionerState: Hashable, Sendable {
    /// The state before the first scan. Positioners of single scans always return it.
    public static let empty = PositionerState(bytes: [])

    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
}
