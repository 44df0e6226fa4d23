import Events
import Foundation
import Geometry
import MapFormats
import SeededRandomness
import Site
import SiteExchange

/// Tables of rooms and of access points, damaged in their cells and in their bytes. The first files
/// are made to fill memory or time.
struct TableSource: FuzzSource {
    private let rooms = RoomTable.table(of: ExchangeSeed.site)
    private let accessPoints: DelimitedTable = {
        var site = ExchangeSeed.site
        site.accessPointPlaces = (0..<12).map { number in
            AccessPointPlace(
                address: HardwareAddress(value: 0x00_62EC_FDEC + UInt64(number)),
                floor: site.floors[0].id, point: Point(x: Double(number), y: -0.5))
        }
        return AccessPointTable.table(of: site)
    }()

    func read(_ path: String) throws -> ImportedSite {
        let table = try DelimitedTable(readingFileAt: path)
        let site = try SiteTable(header: table.header).site(ExchangeSeed.site, with: table)
        return ImportedSite(document: site, report: ImportReport())
    }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if number < TableBomb.allCases.count {
            return try Data(TableBomb.allCases[number].bytes).write(to: URL(filePath: path))
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        var table = Int.random(in: 0..<3, using: &random) == 0 ? accessPoints : rooms
        if Int.random(in: 0..<4, using: &random) > 0 { TableDamage.damage(&table, &random) }
        var bytes = Array(table.text.utf8)
        if Int.random(in: 0..<8, using: &random) == 0 { bytes = [0xef, 0xbb, 0xbf] + bytes }
        if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeAll { $0 == 13 } }
        if Int.random(in: 0..<5, using: &random) == 0 { ByteDamage.damage(&bytes, &random) }
        guard Int.random(in: 0..<8, using: &random) == 0 else {
            return try Data(bytes).write(to: URL(filePath: path))
        }
        var packed = try MapText.gzipped(bytes)
        if Bool.random(using: &random) { ByteDamage.damage(&packed, &random) }
        try Data(packed).write(to: URL(filePath: path))
    }
}

/// Changes a table cell by cell. It stays a table, but an unlikely one.
private enum TableDamage {
    private static let cells = [
        "", " ", "0", "-1", "1e999", "1e-300", "NaN", "inf", "0x1p3", "99999999999999999999", "+1",
        "yes", "no", "unknown", "id", "floor", "hall", "a b", "é", "\u{1F600}", "\u{202e}x",
        "a\u{0}b",
        "\t", "a\r\nb", "\"", "\"\"", ",", "=1+1", "'", "../..", "00:62:ec:fd:ec:50",
        "00-62-EC-FD-EC-50", "ff:ff:ff:ff:ff:ff", "00:62:ec", "+0:+1:+2:+3:+4:+5", "POLYGON",
        "POLYGON ((0 0, 4 0, 4 3))", "polygon((0 0,4 0,4 3,0 0),(1 1,2 1,2 2))",
        "POLYGON ((0 0, 4 4, 4 0, 0 4))", "POLYGON (((0 0)))", "POLYGON ((nan 0, 1 inf, 2 2))",
        "POLYGON ((0 0, 1e9 0, 1 1))", "POLYGON ()", "POLYGON ((0 0, 0 0, 0 0, 0 0))",
        String(repeating: "x", count: 10_000), String(repeating: "(", count: 2_000),
        String(repeating: "e\u{301}", count: 500),
    ]
    private static let columns = [
        "name:de", "name:", "name:xx-", "name", "id", "bssid", "side", "x", "y", "", "NAME",
        "openingHours", "outline", "unknown", "\u{0}",
    ]

    static func damage(_ table: inout DelimitedTable, _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<16, using: &random) {
            case 0: damageColumns(&table, &random)
            case 1: damageRows(&table, &random)
            default: damageCell(&table, &random)
            }
        }
    }

    private static func damageColumns(
        _ table: inout DelimitedTable, _ random: inout SeededRandom
    ) {
        guard let column = table.header.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: table.header[column] = columns.randomElement(using: &random) ?? ""
        case 1: table.header.append(columns.randomElement(using: &random) ?? "")
        case 2: table.header.remove(at: column)
        case 3:
            table.header.swapAt(column, Int.random(in: table.header.indices, using: &random))
        default:
            table.header.remove(at: column)
            for row in table.rows.indices where column < table.rows[row].fields.count {
                table.rows[row].fields.remove(at: column)
            }
        }
    }

    private static func damageRows(_ table: inout DelimitedTable, _ random: inout SeededRandom) {
        guard let row = table.rows.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: table.rows.remove(at: row)
        case 1: table.rows.append(table.rows[row])
        case 2: table.rows[row].fields.append("more")
        default: _ = table.rows[row].fields.popLast()
        }
    }

    private static func damageCell(_ table: inout DelimitedTable, _ random: inout SeededRandom) {
        guard let row = table.rows.indices.randomElement(using: &random),
            let column = table.rows[row].fields.indices.randomElement(using: &random)
        else { return }
        if Int.random(in: 0..<3, using: &random) == 0,
            let other = table.rows.randomElement(using: &random), column < other.fields.count
        {
            table.rows[row].fields[column] = other.fields[column]
        } else {
            table.rows[row].fields[column] = cells.randomElement(using: &random) ?? ""
        }
    }
}
