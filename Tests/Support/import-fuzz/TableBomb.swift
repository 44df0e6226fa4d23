import Events
import Site

/// Tables that are small or simple but costly for careless readers.
enum TableBomb: CaseIterable {
    case longLine, openQuote, zeros, mark, columns, emptyLines, emptyFields, shortRows, tooLong
    /// Many fields with only quotes, many languages, the same column name many times.
    case quotes, languages, sameColumn
    /// An endless outline, many outlines with many corners, combs, holes, spaces.
    case longOutline, manyOutlines, combs, holes, spaces
    /// One letter with millions of accents, which Swift treats as one character.
    case accents

    var bytes: [UInt8] {
        switch self {
        case .zeros: [UInt8](repeating: 0, count: 30_000_000)
        case .mark: [0xef, 0xbb, 0xbf]
        case .tooLong: [UInt8](repeating: 32, count: 100_000_000)
        default: Array(text.utf8)
        }
    }

    private var text: String {
        switch self {
        case .longLine: "id,floor\n" + repeated("x", 30_000_000)
        case .openQuote: "id,floor\n\"" + repeated("x\n", 15_000_000)
        case .columns: (0..<1_000_000).map { "c\($0)" }.joined(separator: ",")
        case .emptyLines: "id,floor\n" + repeated("\n", 30_000_000)
        case .emptyFields: "id,floor\n" + repeated(",", 30_000_000)
        case .shortRows: "id,floor\n" + repeated(",\n", 15_000_000)
        case .quotes: "id,floor\n" + repeated("\"\"\"\",", 6_000_000)
        case .languages:
            "id,floor," + (0..<900).map { "name:a\($0)" }.joined(separator: ",") + "\n"
                + repeated(repeated(",", 901) + "\n", 30_000)
        case .sameColumn: repeated("id,", 900) + "\n" + repeated(repeated(",", 899) + "\n", 100)
        case .longOutline: rooms(["POLYGON ((" + repeated("0 0,", 7_000_000) + "))"])
        case .manyOutlines: rooms(Array(repeating: ring(1_990) { ($0, $0 % 2) }, count: 1_200))
        case .combs: rooms(Array(repeating: ring(1_990) { ($0 % 2 * 900, $0) }, count: 240))
        case .holes: rooms(["POLYGON (" + repeated("(0 0),", 170_000) + "(0 0))"])
        case .spaces: rooms(["POLYGON" + repeated(" ", 1_000_000) + "((0 0, 1 0, 1 1))"])
        case .accents: "id,floor\ne" + repeated("\u{301}", 14_000_000)
        case .zeros, .mark, .tooLong: ""
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// Rooms on the seed's floor, one for each outline.
    private func rooms(_ outlines: [String]) -> String {
        let floor = ExchangeSeed.site.floors[0].id
        return "id,floor,outline\n"
            + outlines.enumerated().map { "bomb-\($0),\(floor),\"\($1)\"\n" }.joined()
    }

    private func ring(_ count: Int, _ corner: (Int) -> (Int, Int)) -> String {
        let corners = (0..<count).map { number in
            let (x, y) = corner(number)
            return "\(x) \(y)"
        }
        return "POLYGON ((\(corners.joined(separator: ",")), -9 \(count), -9 -1))"
    }
}
