/// A walker's pace, in four steps. Rules name one, as in "enter at a moderate pace".
public enum MotionPeriod: String, Hashable, Sendable, CaseIterable {
    case still, slow, moderate, fast
}
