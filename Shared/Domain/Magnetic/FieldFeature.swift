public import Events

/// What of a magnetic field does not depend on how the device is held, in microtesla.
public struct FieldFeature: Hashable, Sendable {
    /// How strong it is.
    public var magnitude: Double
    /// How much of it points down; nil where gravity is not known.
    public var down: Double?

    public init(magnitude: Double, down: Double?) {
        self.magnitude = magnitude
        self.down = down
    }

    /// The feature of a sample; nil where its field is not plausible. Of a gravity that is no
    /// direction nothing is taken.
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

    /// How much lies in the plane of the floor.
    var level: Double? {
        down.map { max(0, magnitude * magnitude - $0 * $0).squareRoot() }
    }
}

func length(_ vector: MagneticField) -> Double {
    (vector.x * vector.x + vector.y * vector.y + vector.z * vector.z).squareRoot()
}
