/// For whom a room, a floor, an entry of the directory or a timetable is.
public enum Visibility: String, Hashable, Sendable, CaseIterable, Comparable {
    /// For strangers, too.
    case everybody = "public"
    /// For those who work at the site.
    case staff
    /// For those who edit the site.
    case hidden

    private var order: Int {
        switch self {
        case .everybody: 0
        case .staff: 1
        case .hidden: 2
        }
    }

    /// Whether more readers see the left one.
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }
}

/// Who sees a site without signing in.
public enum SiteAudience: String, Hashable, Sendable, CaseIterable {
    case nobody
    /// Those who have the site's link, which contains its secret.
    case link
    case everybody
}
