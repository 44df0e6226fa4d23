/// How fast a device's bearer walks, in four steps; a rule such as "enter at a moderate pace" names
/// one.
public enum MotionPeriod: String, Hashable, Sendable, CaseIterable {
    case still, slow, moderate, fast
}
