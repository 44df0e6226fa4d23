import Events
import Foundation
import Geometry
import QRCodes
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

@Suite("Posters") struct PosterTests {
    private let bench: ServiceBench
    private let app: Served
    private let surveyor: String
    private static let path = "/v1/sites/\(SampleSite.id)"

    init() async throws {
        bench = try await ServiceBench()
        var document = SampleSite.index.document
        document.rooms[0].name = "<Lab> & Co"
        document.rooms[0].names = Translations(["cy": "Labordy"])
        document.locations.append(
            LocationRecord(
                id: LocationID("door"), name: "Main door", floor: SampleSite.ground, room: nil,
                point: [1, 1]))
        bench.publish(try SiteIndex(document))
        app = try bench.serve(
            PosterRoutes(sites: bench.sites, publicURL: "https://map.example").all)
        surveyor = bench.issue(.surveyor, site: SampleSite.id)
    }

    private func get(_ path: String) async throws -> Answer {
        try await app.send("GET", Self.path + path, token: surveyor)
    }

    @Test("A sheet names the place in the reader's language; its code leads to the page there")
    func sheet() async throws {
        let answer = try await get("/locations/desk/poster.svg")
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/svg+xml")
        for part in [
            "You are here", "&lt;Lab&gt; &amp; Co", "Level G",
            "https://map.example/s/sample?at=desk",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        let code = try #require(QRCode("https://map.example/s/sample?at=desk"))
        #expect(try modules(answer.text, side: code.side) == rows(of: code))
        let welsh = try await get("/rooms/A/poster.svg?language=cy")
        #expect(welsh.text.contains("Rydych chi yma") && welsh.text.contains("Labordy"))
        let room = try #require(QRCode("https://map.example/s/sample?at=A"))
        #expect(try modules(welsh.text, side: room.side) == rows(of: room))
    }

    private func rows(of code: QRCode) -> [[Bool]] {
        (0..<code.side).map { row in
            (0..<code.side).map { code.isDark(row: row, column: $0) }
        }
    }

    /// The dark modules, from the black rectangles of the drawing.
    private func modules(_ svg: String, side: Int) throws -> [[Bool]] {
        let pattern =
            /<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" fill="#000000"/
        let boxes = svg.matches(of: pattern).map { match in
            [match.1, match.2, match.3, match.4].map { Double($0) ?? 0 }
        }
        let left = try #require(boxes.map { $0[0] }.min())
        let top = try #require(boxes.map { $0[1] }.min())
        let size = (try #require(boxes.map { $0[3] }.min())).rounded(.down)
        var dark = Array(repeating: Array(repeating: false, count: side), count: side)
        for box in boxes {
            let row = Int(((box[1] - top) / size).rounded())
            let column = Int(((box[0] - left) / size).rounded())
            for next in 0..<Int((box[2] / size).rounded()) { dark[row][column + next] = true }
        }
        return dark
    }

    @Test("A floor's posters are pages of one file; it can be had in parts")
    func floor() async throws {
        let all = try await get("/floors/ground/posters.pdf")
        #expect(all.status == 200 && all.headers["content-type"] == "application/pdf")
        #expect(try pages(all.body) == 2)
        #expect(try pages(try await get("/floors/ground/posters.pdf?limit=1").body) == 1)
        #expect(try pages(try await get("/floors/ground/posters.pdf?after=desk").body) == 1)
        #expect(try pages(try await get("/locations/door/poster.pdf").body) == 1)
    }

    private func pages(_ file: [UInt8]) throws -> Int? {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "poster-\(UUID().uuidString).pdf")
        try Data(file).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["pdfinfo", path.path]
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.firstMatch(of: /Pages:\s+([0-9]+)/).flatMap { Int($0.1) }
    }

    @Test(
        "name the fault in a request",
        arguments: [
            ("/locations/none/poster.svg", "thing-unknown"),
            ("/rooms/none/poster.pdf", "thing-unknown"),
            ("/floors/roof/posters.pdf", "floor-unknown"),
            ("/floors/first/posters.pdf", "thing-unknown"),
            ("/floors/ground/posters.pdf?limit=101", "number-out-of-range"),
            ("/floors/ground/posters.pdf?after=zzz", "thing-unknown"),
            ("/locations/desk/poster.svg?language=!", "language-malformed"),
        ])
    func wrong(path: String, code: String) async throws {
        #expect(try await get(path).code == code)
    }

    @Test("Visitors print no posters")
    func visitors() async throws {
        let visitor = bench.issue(.visitor, site: SampleSite.id)
        let answer = try await app.send(
            "GET", Self.path + "/locations/desk/poster.svg", token: visitor)
        #expect(answer.status == 403)
    }
}
