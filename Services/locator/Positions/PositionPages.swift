import Events
import Wire

/// All positions of a query.
struct PositionPages: ListPages {
    private let stored: StoredPositions
    private let format: PositionFormat
    private let isFile: Bool
    private var query: PositionQuery
    private var hasBegun = false

    /// - Parameter isFile: whether the last line says that the list is complete.
    init(
        _ query: PositionQuery, in stored: StoredPositions, _ format: PositionFormat, isFile: Bool
    ) {
        self.query = query
        self.stored = stored
        self.format = format
        self.isFile = isFile
    }

    mutating func next() async throws -> ListPage {
        let positions = try await query.run(stored)
        // An empty page has no headings of its own, unless it is the first.
        let bytes = format.part(positions, isContinued: hasBegun)
        hasBegun = true
        query.after = positions.last.map { PageCursor(at: $0.at, id: $0.id) } ?? query.after
        return ListPage(
            bytes: bytes, count: positions.count, isLast: positions.count < query.limit)
    }

    func end(_ count: Int) -> [UInt8] { format.end(count, isFile: isFile) }
}
