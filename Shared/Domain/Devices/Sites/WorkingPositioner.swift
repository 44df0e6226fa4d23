public import Positioning

/// A positioner that works on every scan.
public struct WorkingPositioner: Sendable {
    public var positioner: any Positioner
    /// The topic of its positions; nil for the one that is served.
    public var topic: String?
    /// The full text of its option, which is part of the basis of its states.
    public var option: String
    /// A program of its own blocks, and must not do so on threads that others share.
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
