public import Events

public struct BuildingRecord: Hashable, Sendable {
    public var id: BuildingID
    public var name: String
    public var names: Translations
    /// IANA time zone, such as Europe/London.
    public var timeZone: String
    /// Its shape seen from above: corners in order, metres, [x, y] each; empty when it is not known.
    public var outline: [[Double]]
    public var address: String?

    public init(
        id: BuildingID, name: String, names: Translations = Translations(), timeZone: String,
        outline: [[Double]] = [], address: String? = nil
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.timeZone = timeZone
        self.outline = outline
        self.address = address
    }
}
