import Events
import Geometry
import Glibc
import SeededRandomness
import Site
import Testing

@testable import SiteExchange

@Suite("Slopes from a grid of heights") struct SlopeImportTests {
    private static let frame = LocalFrame(
        originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 20)
    /// Degrees of a cell of about 2 m.
    private static let cell = 0.00002

    /// A grid around the site's origin: 160 x 120 cells.
    private static func text(_ height: (Point) -> Double?) -> String {
        let (columns, rows) = (160, 120)
        let (west, south) = (-0.1 - 80 * cell, 51.5 - 60 * cell)
        var text = "ncols \(columns)\nnrows \(rows)\nxllcenter \(west)\nyllcenter \(south)\n"
        text += "cellsize \(cell)\nNODATA_value -9999\n"
        for row in (0..<rows).reversed() {
            let heights = (0..<columns).map { column in
                let place = GeographicPoint(
                    latitude: south + Double(row) * cell, longitude: west + Double(column) * cell)
                return height(frame.point(place)).map { "\(($0 * 1_000).rounded() / 1_000)" }
                    ?? "-9999"
            }
            text += heights.joined(separator: " ") + "\n"
        }
        return text
    }

    private static func way(
        _ id: String, _ line: Point..., kind: ConnectionRecord.Kind = .walk
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(id), kind: kind,
            stops: [
                ConnectionStop(floor: nil, point: line[0]),
                ConnectionStop(floor: nil, point: line[line.count - 1]),
            ], line: Array(line.dropFirst().dropLast()))
    }

    private static func site(_ ways: [ConnectionRecord]) -> SiteDocument {
        SiteDocument(
            name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 20,
            buildings: [
                BuildingRecord(
                    id: BuildingID("b"), name: "Hall", timeZone: "Europe/London",
                    outline: [[-60, -60], [-40, -60], [-40, -40], [-60, -40]])
            ], connections: ways)
    }

    private static func imported(
        _ ways: [ConnectionRecord], _ height: (Point) -> Double?
    ) throws -> ImportedSite {
        let site = site(ways)
        return try SlopeImport(HeightGrid(utf8: Array(text(height).utf8)), site).site(site)
    }

    private static func slope(_ site: ImportedSite, _ id: String) -> Double? {
        site.document.connections.first { $0.id.text == id }?.slope
    }

    @Test("On an even hill, a way has the hill's slope in its direction")
    func hill() throws {
        // 6 % to the frame's east.
        let site = try Self.imported(
            [
                Self.way("up", [-20, 0], [30, 0]), Self.way("down", [30, 0], [-20, 0]),
                Self.way("level", [0, -20], [0, 30]), Self.way("short", [0, 0], [1.5, 0]),
                Self.way("round", [-20, 5], [10, 5], [10, 20], [-20, 20]),
            ]) { 100 + 0.06 * $0.x }
        #expect(Self.slope(site, "up") == 0.06 && Self.slope(site, "down") == -0.06)
        #expect(Self.slope(site, "level") == 0 && Self.slope(site, "short") == 0.06)
        #expect(abs(Self.slope(site, "round") ?? 0) == 0.06)
        let up = site.document.connections[0]
        #expect(up.riseMetres.map { abs($0 - 3) < 0.02 } == true)
        #expect(site.document.connections[4].riseMetres.map { abs($0) < 0.02 } == true)
        #expect(site.report.counts == ["slopes": 5])
        #expect(site.report.notes.map(\.detail) == ["the steepest way has 6.0 %"])
    }

    @Test("Noise of the grid makes no steep piece, however short the way", arguments: 0..<5)
    func noise(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let ways = (0..<40).map { number in
            let (x, y) = (
                Double.random(in: -60...60, using: &random),
                Double.random(in: 0...50, using: &random)
            )
            let metres = Double.random(in: 0.5...20, using: &random)
            return Self.way("w\(number)", [x, y], [x + metres, y])
        }
        // A decimetre of error, as airborne surveys have it.
        let site = try Self.imported(ways) { _ in
            100 + Double.random(in: -0.1...0.1, using: &random)
        }
        for way in site.document.connections { #expect(abs(way.slope ?? 1) < 0.03) }
    }

    @Test("A steep stretch of a long way is found")
    func steepStretch() throws {
        let site = try Self.imported([Self.way("path", [-60, 20], [60, 20])]) {
            100 + 0.1 * min(20, max(0, $0.x))
        }
        let slope = try #require(Self.slope(site, "path"))
        #expect((0.09...0.1).contains(slope))
    }

    @Test("Slopes are left to people, and ways off the ground and outside the grid have none")
    func leftOut() throws {
        var stated = Self.way("stated", [0, 0], [20, 0])
        stated.slope = 0.02
        var measured = Self.way("measured", [0, 5], [20, 5])
        (measured.slope, measured.riseMetres) = (0.5, 9)
        var bridge = Self.way("bridge", [0, 10], [20, 10])
        (bridge.isOffGround, bridge.slope, bridge.riseMetres) = (true, 0.1, 2)
        let ways = [
            stated, measured, bridge, Self.way("roof", [-70, -50], [-30, -50]),
            Self.way("beside", [-50, -39.8], [-30, -39.8]),
            Self.way("hole", [40, 40], [60, 40]), Self.way("away", [0, 0], [900, 0]),
            Self.way("stairs", [0, 0], [5, 0], kind: .stairs),
            Self.way("ramp", [0, 15], [20, 15], kind: .ramp),
        ]
        let site = try Self.imported(ways) { $0.x > 45 && $0.y > 30 ? nil : 100 }
        #expect(Self.slope(site, "stated") == 0.02 && Self.slope(site, "measured") == 0)
        for id in ["bridge", "roof", "hole", "away", "stairs"] {
            #expect(Self.slope(site, id) == nil, "\(id)")
        }
        #expect(Self.slope(site, "beside") == 0 && Self.slope(site, "ramp") == 0)
        #expect(
            site.report.counts == [
                "slopes": 3, "slopes stated by people": 1, "ways outside the grid": 2,
                "ways under roofs, on bridges or in tunnels": 2,
            ])
    }

    @Test("A second import changes nothing, and a grid of another place is refused")
    func again() throws {
        let ways = [Self.way("path", [-20, 0], [30, 10])]
        let grid = try HeightGrid(utf8: Array(Self.text { 50 + 0.03 * $0.y }.utf8))
        let once = try SlopeImport(grid, Self.site(ways)).site(Self.site(ways))
        let twice = try SlopeImport(grid, once.document).site(once.document)
        #expect(once.document == twice.document && once.document.connections[0].slope != nil)
        var away = Self.site(ways)
        away.originLatitude = 10
        #expect(throws: ImportRefusal.self) { try SlopeImport(grid, away).site(away) }
    }

    @Test("Slopes are those of the slow twin", arguments: 0..<6) func twin(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let waves = (0..<4).map { _ in
            (
                Double.random(in: -0.2...0.2, using: &random),
                Double.random(in: -0.2...0.2, using: &random),
                Double.random(in: 0.1...2, using: &random)
            )
        }
        let text = Self.text { point in
            if Int.random(in: 0..<3_000, using: &random) == 0 { return nil }
            return waves.reduce(100) { $0 + $1.2 * sin($1.0 * point.x + $1.1 * point.y) }
        }
        let ways = (0..<12).map { number in
            func coordinate() -> Double { Double.random(in: -110...110, using: &random) }
            return Self.way(
                "w\(number)", [coordinate(), coordinate()], [coordinate(), coordinate()])
        }
        var site = Self.site(ways)
        site.buildings = []
        let grid = try HeightGrid(utf8: Array(text.utf8))
        let measured = try SlopeImport(grid, site).site(site)
        let twin = PlainHeights(text)
        let radius = max(4, 1.5 * grid.cellMetres(atLatitude: 51.5))
        var both = 0
        for way in measured.document.connections {
            let plain = twin.slope(
                from: way.stops[0].point, to: way.stops[1].point, Self.frame, radius: radius)
            #expect((plain == nil) == (way.slope == nil), "\(way.id)")
            guard let plain, let slope = way.slope, let rise = way.riseMetres else { continue }
            both += 1
            #expect(abs(abs(plain.slope) - abs(slope)) < 0.001_5)
            #expect(abs(plain.rise - rise) < 0.02)
        }
        #expect(both > 0)
    }
}
