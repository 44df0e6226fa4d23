import Testing

@testable import SiteExchange

@Suite("MapLevels") struct MapLevelTests {
    static let read: [(text: String, levels: [String])] = [
        ("0", ["0"]), ("-1", ["-1"]), ("0;1", ["0", "1"]), ("0,1", ["0", "1"]),
        ("0;-1;-8", ["0", "-1", "-8"]), ("1-3", ["1", "2", "3"]),
        ("-1-3", ["-1", "0", "1", "2", "3"]), ("-3--1", ["-3", "-2", "-1"]),
        ("3-1", ["3", "2", "1"]), ("0.5", ["0.5"]), ("-0.5", ["-0.5"]),
        ("0-1.5", ["0", "1", "1.5"]), ("0 ; 1", ["0", "1"]), ("0;0", ["0"]),
        ("0–2", ["0", "1", "2"]), ("+1", ["1"]), ("1.25", ["1.25"]), ("2.05", ["2.05"]),
        ("-2--1;5", ["-2", "-1", "5"]), ("1.0", ["1"]),
    ]

    @Test("Numbers, lists, ranges and halves are parsed", arguments: read)
    func reads(text: String, levels: [String]) {
        #expect(MapLevels.read(text)?.map(\.text) == levels)
    }

    @Test(
        "Text that is no level is refused, not guessed",
        arguments: [
            "", "EG", "1;x", "1-", "-", "--1-", "1..2", "301", "-101", "0-1000", "1e2", ";",
        ])
    func refuses(text: String) {
        #expect(MapLevels.read(text) == nil)
    }
}
