public import Positioning

/// A positioner that locates every scan.
public struct WorkingPositioner: Sendable {
    public var positioner: any Positioner
    /// The topic of its positions; nil for the served positioner.
    public var topic: String?
    /// The full text of its option, which is part of the basis of its states.
    public var option: String
    /// Whether it is an external program. Such a program blocks its thread, so it needs one of its
    /// own.
    public var isProgram: Bool

    public init(
        positioner: any Positioner, topic: String? = nil, option: String, isProgram: Bool = false
    ) {
        self.positioner = positioner
        self.topic = topic
        self.option = option
        self.isProgram = isProgram
    }

    public var name: String { positioner.name }
}
