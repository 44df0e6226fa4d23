public import Geometry

/// Facts about the site that the imported file does not have.
public struct ImportOptions: Hashable, Sendable {
    /// The site's name; it replaces the name in the file.
    public var name: String?
    /// The site's name if the file has none.
    public var usualName: String?
    /// The time zone of buildings without one in the file.
    public var timeZone: String
    /// The frame of the existing site that the file is merged into, so that nothing moves. Nil for
    /// a new site, whose origin is computed from the file.
    public var frame: LocalFrame?
    /// The choices for a drawing.
    public var drawing: DrawingOptions
    /// The choices for a list of rooms.
    public var roomList: RoomListOptions

    public init(
        name: String? = nil, usualName: String? = nil, timeZone: String = "Etc/UTC",
        frame: LocalFrame? = nil, drawing: DrawingOptions = .init(),
        roomList: RoomListOptions = .init()
    ) {
        self.name = name
        self.usualName = usualName
        self.timeZone = timeZone
        self.frame = frame
        self.drawing = drawing
        self.roomList = roomList
    }
}
