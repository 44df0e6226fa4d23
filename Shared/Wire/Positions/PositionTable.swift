import Events

/// Positions as CSV (RFC 4180). No field needs quotes, because ids hold neither commas nor quotes.
///
/// A spreadsheet does not run an id as a formula either. An id may begin with a hyphen, but it
/// holds neither brackets nor bars (`DelimitedTable`).
enum PositionTable {
    private typealias Write = @Sendable (PositionEstimated, inout [UInt8]) -> Void

    /// The columns of the table. New ones are added at the end, since programs may count them. The
    /// lists `rooms` and `covariance` have no column.
    private static let columns: [(name: String, write: Write)] = [
        ("id", { put($0.id, &$1) }), ("scanId", { put($0.scan, &$1) }),
        ("at", { put($0.at.text, &$1) }), ("locatedAt", { put($0.locatedAt.text, &$1) }),
        ("device", { put($0.device.text, &$1) }), ("site", { put($0.site.text, &$1) }),
        ("building", { put($0.building?.text, &$1) }), ("floor", { put($0.floor?.text, &$1) }),
        ("room", { put($0.room?.text, &$1) }), ("x", { put($0.x, &$1) }),
        ("y", { put($0.y, &$1) }), ("latitude", { put($0.latitude, &$1) }),
        ("longitude", { put($0.longitude, &$1) }), ("radius68", { put($0.radius68, &$1) }),
        ("radius95", { put($0.radius95, &$1) }), ("state", { put($0.state.rawValue, &$1) }),
        ("late", { put($0.late.description, &$1) }), ("positioner", { put($0.positioner, &$1) }),
        ("radioMapVersion", { put($0.radioMapVersion?.description, &$1) }),
        ("motion", { put($0.motion?.rawValue, &$1) }),
        ("siteVersion", { put($0.siteVersion.description, &$1) }),
        ("choiceVersion", { put($0.choiceVersion?.description, &$1) }),
        ("lostBecause", { put($0.lostBecause?.rawValue, &$1) }),
        ("area", { put($0.area?.rawValue, &$1) }),
    ]
    /// Bytes of an ordinary line.
    private static let lineBytes = 320

    static func csv(_ positions: [PositionEstimated], hasHeadings: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((positions.count + 1) * lineBytes)
        if hasHeadings {
            put(columns.map(\.name).joined(separator: ","), &bytes)
            endLine(&bytes)
        }
        for position in positions {
            for (number, column) in columns.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ",")) }
                column.write(position, &bytes)
            }
            endLine(&bytes)
        }
        return bytes
    }

    private static func endLine(_ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func put(_ text: String?, _ bytes: inout [UInt8]) {
        if let text { bytes.append(contentsOf: text.utf8) }
    }

    private static func put(_ number: Double?, _ bytes: inout [UInt8]) {
        if let number { put(number.description, &bytes) }
    }

    private static func put(_ id: EventID, _ bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            id.write(to: buffer)
            bytes.append(contentsOf: buffer)
        }
    }
}
