import Events

/// Whether wheels can use a room or a connection, as somebody stated.
public enum Accessibility: String, Hashable, Sendable, CaseIterable {
    case yes, no, unknown
}
