public import Events

/// The parts of a magnetic field that do not depend on how the device is held, in microtesla.
public struct FieldFeature: Hashable, Sendable {
    /// The strength of the field.
    public var magnitude: Double
    /// The part of the field that points down; nil where gravity is not known.
    public var down: Double?

    public init(magnitude: Double, down: Double?) {
        self.magnitude = magnitude
        self.down = down
    }

    /// The feature of a sample; nil where its field is not plausible. A gravity without a direction
    /// is ignored.
    public init?(_ sample: MagneticSample) {
        let field = sample.field
        magnitude = length(field)
        guard MagneticLimits.magnitudeMicrotesla.contains(magnitude) else { return nil }
        guard let gravity = sample.gravity else { return }
        let pull = length(gravity)
        guard pull > 0, pull.isFinite else { return }
        let inner = field.x * gravity.x + field.y * gravity.y + field.z * gravity.z
        guard inner.isFinite else { return }
        down = inner / pull
    }

    /// The part of the field in the plane of the floor.
    var level: Double? {
        down.map { max(0, magnitude * magnitude - $0 * $0).squareRoot() }
    }
}

func length(_ vector: MagneticField) -> Double {
    (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
}
