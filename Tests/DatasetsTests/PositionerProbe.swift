import Positioning

/// The positioner that sites get unless they ask for another.
enum PositionerProbe {
    static let standard = PositionerRegistry.standard[PositionerRegistry.defaultName]
}
