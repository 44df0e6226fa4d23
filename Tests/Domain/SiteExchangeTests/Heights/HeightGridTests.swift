import Geometry
import SeededRandomness
import Site
import Testing

@testable import SiteExchange

@Suite("Grids of heights") struct HeightGridTests {
    private static func grid(_ text: String) throws -> HeightGrid {
        try HeightGrid(utf8: Array(text.utf8))
    }

    private static let header = """
        ncols 3
        nrows 2
        xllcorner -0.1
        yllcorner 51.5
        cellsize 0.0001
        NODATA_value -9999

        """

    @Test("Heights lie between the centres of the cells, the northern row first")
    func bilinear() throws {
        let grid = try Self.grid(Self.header + "10 20 30\n40 50 -9999\n")
        func height(_ column: Double, _ row: Double) -> Double? {
            grid.height(
                at: GeographicPoint(
                    latitude: 51.5 + (row + 0.5) * 0.0001,
                    longitude: -0.1 + (column + 0.5) * 0.0001))
        }
        func isNear(_ one: Double?, _ other: Double) -> Bool {
            one.map { abs($0 - other) < 0.1 } ?? false
        }
        #expect(isNear(height(0.001, 0.999), 10) && isNear(height(0.001, 0.001), 40))
        #expect(isNear(height(0.5, 0.5), 30))
        #expect(height(1.5, 0.5) == nil, "beside a cell without a height")
        #expect(height(-0.1, 0.5) == nil && height(0.5, 1.1) == nil && height(2.1, 0.5) == nil)
    }

    @Test("Corners and centres, squares and rectangles, lines and spaces are read alike")
    func forms() throws {
        let other = """
            NROWS 2\r\nNCOLS 3\r\nXLLCENTER -0.09995\r\nYLLCENTER 51.50005
            dx 0.0001 dy 0.0001
            nodata_value nan
            1e1 20.0 30
            +40 50\tNaN
            """
        let (one, two) = (
            try Self.grid(Self.header + "10 20 30 40 50 -9999"), try Self.grid(other)
        )
        let place = GeographicPoint(latitude: 51.5001, longitude: -0.0999)
        let (first, second) = (try #require(one.height(at: place)), two.height(at: place))
        #expect(second.map { abs($0 - first) < 1e-6 } == true)
    }

    static let faults: [(text: String, line: String)] = [
        ("", "ncols is missing"), ("ncols", "line 1"), ("ncols x", "line 1"),
        ("ncols 3\nncols 3", "line 2: ncols is stated twice"), ("hello 3", "line 1"),
        ("ncols\n3\nnrows 2", "line 1: ncols must have a number"),
        ("ncols 0\nnrows 2\n1", "line 1: ncols must be 1 to"),
        ("ncols 1\nnrows 1.5\n1", "line 2: nrows must be 1 to"),
        ("ncols 9e9\nnrows 2\n1", "must be 1 to"),
        ("ncols 16000000\nnrows 16000000\n1", "are over"),
        ("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\n1", "cellsize is missing"),
        ("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 0.0001\n1", "dy is missing"),
        ("ncols 3\nnrows 2\nyllcorner 0\ncellsize 0.0001\n1", "xllcorner is missing"),
        ("ncols 3\nnrows 2\nxllcorner 530000\nyllcorner 180000\ncellsize 1\n1", "gdalwarp"),
        ("ncols 3\nnrows 2\nxllcorner 530000\nyllcorner 1\ncellsize 0.0001\n1", "line 3: its"),
        ("ncols 3\nnrows 2\nxllcorner 0\nyllcenter 180000\ncellsize 0.0001\n1", "line 4: its"),
        ("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n1", "line 5: cells must"),
        (
            "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 0.0001\ndy -0.0001\n1",
            "line 6: cells must"
        ),
        (header + "1 2 3 4 5", "there are 5 heights"), (header + "1 2 3\n4 5 6\n7", "line 9"),
        (header + "1 2\n4 5 6\n", "line 7: there are 5 heights, not 3 x 2; this line has 2"),
        (header + "1 2 3\n4 5 6 7\n", "line 8: there are more heights than 3 x 2"),
        (header + "1 2 3\n\n\n", "line 7: there are 3 heights, not 3 x 2"),
        (header + "1 2 3\n4 five 6", "line 8: this is no height: five (row 2, column 2)"),
        (header + "1 2 3\n4 1e30 6", "NODATA_value"), (header + "1 2 3\n4 0x10 6", "no height"),
        (header + "1 2\n3 4 99999 6", "line 8: a height is 99999.0 m (row 2, column 2)"),
    ]

    @Test("A wrong file is refused, with the line", arguments: faults)
    func refusals(text: String, line: String) {
        let refusal = #expect(throws: ImportRefusal.self) { try Self.grid(text) }
        #expect(refusal?.description.contains(line) == true, "\(refusal?.description ?? "")")
    }

    @Test("Damaged bytes are refused or read, and end nothing", arguments: 0..<40)
    func damaged(seed: Int) {
        var random = SeededRandom(seed: seed)
        let whole = Array((Self.header + "10 20 30\n40 50 -9999\n").utf8)
        for _ in 0..<50 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                default: bytes.insert(contentsOf: bytes.prefix(place), at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            do throws(ImportRefusal) {
                let grid = try HeightGrid(utf8: bytes)
                #expect(grid.columns * grid.rows <= HeightGrid.mostCells)
                _ = grid.height(at: GeographicPoint(latitude: 51.5001, longitude: -0.0999))
            } catch {
                #expect(!error.detail.isEmpty)
            }
        }
    }

    @Test("A long word is no number, and a thousand lines are counted")
    func longWords() {
        let digits = String(repeating: "1", count: 100_000)
        #expect(throws: ImportRefusal.self) { try Self.grid(Self.header + digits) }
        let lines = Self.header + String(repeating: "\n", count: 1_000) + "x"
        let refusal = #expect(throws: ImportRefusal.self) { try Self.grid(lines) }
        #expect(refusal?.detail.contains("line 1007") == true)
    }
}
