public import Geometry

/// Facts of a file's site that the file itself does not have.
public struct ImportOptions: Hashable, Sendable {
    /// The site's name, where the file's own is not wanted.
    public var name: String?
    /// The site's name, where the file has none.
    public var usualName: String?
    /// The time zone of buildings for which the file has none.
    public var timeZone: String
    /// That of the site that the file goes into, so that nothing moves; nil for a new one, whose
    /// origin follows from the file.
    public var frame: LocalFrame?

    public init(
        name: String? = nil, usualName: String? = nil, timeZone: String = "Etc/UTC",
        frame: LocalFrame? = nil
    ) {
        self.name = name
        self.usualName = usualName
        self.timeZone = timeZone
        self.frame = frame
    }
}
