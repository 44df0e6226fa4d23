public import Events
import Site

/// What things are called in one language, or else as their records name them.
public struct DirectionNames: Sendable {
    let guide: RouteGuide
    /// A BCP 47 language tag.
    public let language: String

    /// What people call the room; its id where it has no name.
    public func room(_ id: RoomID) -> String {
        guard let room = guide.site.room(id) else { return id.text }
        let name = room.names.text(in: language) ?? room.name
        return name.isEmpty ? id.text : name
    }

    public func building(_ id: BuildingID) -> String {
        guard let building = guide.site.building(id) else { return id.text }
        return building.names.text(in: language) ?? building.name
    }

    /// Nil for a connection that nobody has named.
    public func connection(_ id: ConnectionID) -> String? {
        guard let connection = guide.connection(id) else { return nil }
        let name = connection.names.text(in: language) ?? connection.name
        return name?.isEmpty == false ? name : nil
    }

    /// What the sign says, and what the floor is called in full where that is known.
    public func floor(_ id: FloorID) -> (level: String, name: String?) {
        guard let floor = guide.site.floor(id) else { return (id.text, nil) }
        let name = floor.names.text(in: language)
        return (floor.level, name == floor.level ? nil : name)
    }
}
