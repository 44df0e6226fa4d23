/// A reader of a site, as far as it decides what is visible to them.
public enum Reader: String, Hashable, Sendable, CaseIterable, Comparable {
    case stranger
    /// Somebody who works at the site, or a program of theirs.
    case staff
    /// Somebody who edits the site, or a service.
    case editor

    private var order: Int {
        switch self {
        case .stranger: 0
        case .staff: 1
        case .editor: 2
        }
    }

    /// Whether the right one sees more.
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    public func sees(_ visibility: Visibility) -> Bool {
        switch visibility {
        case .everybody: true
        case .staff: self >= .staff
        case .hidden: self >= .editor
        }
    }
}
