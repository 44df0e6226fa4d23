public import Positioning

/// A positioner that may locate the scans of sites.
public struct WorkingPositioner: Sendable {
    public var positioner: any Positioner
    /// The full text of its option, which is part of the basis of its states.
    public var option: String
    /// Whether it is an external program. Such a program blocks its thread, so it needs one of its
    /// own.
    public var isProgram: Bool

    public init(
        positioner: any Positioner, option: String, isProgram: Bool = false
    ) {
        self.positioner = positioner
        self.option = option
        self.isProgram = isProgram
    }

    public var name: String { positioner.name }
}
