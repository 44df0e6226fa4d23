/// The facts that a file has about itself, so that people can choose how it is imported.
public struct FileFacts: Hashable, Sendable {
    /// The choices that a file may need.
    public enum Need: String, Hashable, Sendable, CaseIterable {
        case floor, unit, columns
    }

    /// The layers of a drawing.
    public var layers: [DrawingFile.Layer] = []
    /// The unit that a drawing states.
    public var unit: DrawingUnit?
    /// The columns of a list.
    public var header: [String] = []
    public var columns: [RoomList.Column: String] = [:]
    /// Whether the file is our own export, so that what it lacks was removed from it.
    public var isOwn = false
    /// The choices that nobody has made, and the file does not.
    public var needs: [Need] = []

    public init() {}

    /// - Parameter options: the choices that were made.
    public init(_ drawing: DrawingFile, _ options: DrawingOptions) {
        layers = drawing.layers
        unit = drawing.unit
        if options.floor == nil { needs.append(.floor) }
        if options.unit == nil, unit == nil { needs.append(.unit) }
    }

    public init(_ table: DelimitedTable, _ options: RoomListOptions) {
        header = table.header
        columns = RoomList.columns(of: header, chosen: options.columns)
        if columns[.number] == nil { needs.append(.columns) }
    }
}
