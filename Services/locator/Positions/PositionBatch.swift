import Events
import Postgres

/// Positions that are written together, with their narrow forms.
struct PositionBatch {
    private static let columnCount = 18

    let positions: [PositionEstimated]
    /// In the order of the positions; nil for those that the wide table takes.
    private let narrow: [NarrowPosition?]
    let places: [NarrowPlace]

    init(_ positions: [PositionEstimated]) {
        self.positions = positions
        narrow = positions.map { NarrowPosition($0) }
        places = zip(positions, narrow).map { position, narrow in
            NarrowPlace(
                building: position.building, floor: position.floor, room: position.room,
                latitude: narrow?.latitude.whole ?? 0, longitude: narrow?.longitude.whole ?? 0)
        }
    }

    /// The positions without a narrow form.
    var odd: [PositionEstimated] {
        zip(positions, narrow).compactMap { $0.1 == nil ? $0.0 : nil }
    }

    /// - Parameter names: must have all names of the positions.
    func copy(
        _ names: KnownNames, schema: String, connection: isolated PostgresConnection
    ) throws {
        var wide: [PositionEstimated] = []
        var rows: [Row] = []
        rows.reserveCapacity(positions.count)
        for index in positions.indices {
            if let row = row(index, names) {
                rows.append(row)
            } else {
                wide.append(positions[index])
            }
        }
        try connection.copyIn("COPY \(schema).position_rows (\(NarrowRow.selection)) FROM STDIN") {
            [positions, rows] buffer in
            for row in rows { try Self.append(row, positions[row.index], to: &buffer) }
            return false
        }
        guard !wide.isEmpty else { return }
        try connection.copyIn("COPY \(schema).wide_positions (\(PositionRow.columns)) FROM STDIN") {
            [wide] buffer in
            for position in wide { try PositionRow.append(position, to: &buffer) }
            return false
        }
    }

    private struct Row: Sendable {
        var index: Int
        var narrow: NarrowPosition
        var device: Int32
        var place: Int32
        var kind: Int32
        var site: Int16
        var rooms: [UInt8]
    }

    /// Nil for a position without a narrow form.
    private func row(_ index: Int, _ names: KnownNames) -> Row? {
        let position = positions[index]
        guard let narrow = narrow[index], let site = names.sites[position.site],
            let number = site.number, let device = site.devices[position.device]?.number,
            let place = site.places[places[index]],
            let kind = names.kinds[PositionKind(position)],
            let rooms = Self.packed(position.rooms, site.rooms)
        else { return nil }
        return Row(
            index: index, narrow: narrow, device: device, place: place, kind: kind, site: number,
            rooms: rooms)
    }

    /// The rooms as bytes: three of the number, two of the probability. Nil where one does not fit.
    private static func packed(
        _ rooms: [PositionEstimated.RoomProbability], _ numbers: [RoomID: Int32]
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rooms.count * PositionTables.roomBytes)
        for room in rooms {
            let share = (room.probability * PositionTables.probabilityUnit).rounded()
            guard let number = numbers[room.id], 0..<1 << 24 ~= number,
                share >= 0, share <= PositionTables.probabilityUnit
            else { return nil }
            let part = UInt16(share)
            bytes.append(UInt8(truncatingIfNeeded: number >> 16))
            bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            bytes.append(UInt8(truncatingIfNeeded: number))
            bytes.append(UInt8(truncatingIfNeeded: part >> 8))
            bytes.append(UInt8(truncatingIfNeeded: part))
        }
        return bytes
    }

    private static func append(
        _ row: Row, _ position: PositionEstimated, to buffer: inout PostgresCopyBuffer
    ) throws(PostgresError) {
        let narrow = row.narrow
        buffer.beginRow(fields: columnCount)
        buffer.appendField(high: position.id.high, low: position.id.low)
        buffer.appendField(high: position.scan.high, low: position.scan.low)
        try buffer.appendField(microseconds: position.at.microseconds)
        try buffer.appendField(microseconds: position.locatedAt.microseconds)
        buffer.appendField(narrow.latitude.billionths)
        buffer.appendField(narrow.longitude.billionths)
        buffer.appendField(narrow.x)
        buffer.appendField(narrow.y)
        for entry in 0..<3 {
            buffer.appendField(narrow.covariance.isEmpty ? nil : narrow.covariance[entry])
        }
        buffer.appendField(narrow.radius68)
        buffer.appendField(narrow.radius95)
        buffer.appendField(Optional(row.device))
        buffer.appendField(Optional(row.place))
        buffer.appendField(Optional(row.kind))
        buffer.appendField(Optional(row.site))
        buffer.appendField(bytes: row.rooms)
    }
}
