import Events
import Foundation
import Geometry
import MapFormats
import Repository
import SampleSites
import Site
import SiteExchange
import Testing

/// Reads drawings that ezdxf wrote. `WHEREABOUTS_EZDXF` names a Python that has it.
@Suite("Drawings by ezdxf") struct DrawingPeerTests {
    private static let python = ProcessInfo.processInfo.environment["WHEREABOUTS_EZDXF"]
    private static let isMissing: Comment = "skipped: WHEREABOUTS_EZDXF names no Python with ezdxf"

    private struct Plan: Decodable {
        var unit: String
        var rooms: [String: Double]
    }

    @Test(
        "Plans of all its versions have the same rooms, names and areas",
        .enabled(if: python != nil, isMissing))
    func plans() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-drawings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let peer = Process()
        peer.executableURL = URL(filePath: Self.python ?? "")
        let script = repository.appending(path: "Tests/Support/drawing-peer/drawing_peer.py")
        peer.arguments = ["-W", "ignore", script.path, folder.path]
        try peer.run()
        peer.waitUntilExit()
        #expect(peer.terminationStatus == 0)
        let plans = try JSONDecoder().decode(
            [String: Plan].self, from: Data(contentsOf: folder.appending(path: "expected.json")))
        #expect(plans.count == 42)
        let format = try #require(MapFormat.named("dxf"))
        let site = SampleSite.index.document
        for (name, plan) in plans {
            let path = folder.appending(path: "\(name).dxf").path
            #expect(try MapFormat.recognising(.path(path)).name == "dxf")
            var options = ImportOptions(frame: site.frame)
            options.drawing.floor = SampleSite.first
            // The oldest version has no place for the unit.
            options.drawing.unit = DrawingUnit(rawValue: plan.unit)
            let facts = try format.facts(of: .path(path), options)
            if !name.hasPrefix("R12") { #expect(facts?.unit?.rawValue == plan.unit, "\(name)") }
            let imported = try format.read(path, into: site, options)
            let known = Set(site.rooms.map(\.id))
            let rooms = imported.document.rooms.filter { !known.contains($0.id) }
            #expect(Set(rooms.map(\.name)) == Set(plan.rooms.keys), "\(name)")
            for room in rooms {
                let area = room.outline.polygon?.area ?? 0
                #expect(abs(area - (plan.rooms[room.name] ?? 0)) < 0.2, "\(name) \(room.name)")
            }
        }
    }
}
