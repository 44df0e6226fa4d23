import Events

/// Whether wheels can use something, as somebody has said.
public enum Accessibility: String, Hashable, Sendable, CaseIterable {
    case yes, no, unknown
}
