import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Directions

/// Walks of a simulated traveller who can't see and follows only the English words.
///
/// Print `BlindWalk.texts` to read the text of a walk, and `BlindWalker.log` to see his steps.
@Suite("A traveller who can't see follows the spoken words") struct BlindWalkTests {
    private static let walks = 12

    @Test("At least eleven of twelve walks reach the room", arguments: ReadSite.names)
    func reached(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        let world = TouchWorld(site.guide.site.document)
        var lost: [String] = []
        for seed in 0..<Self.walks {
            let walk = try #require(BlindWalk(site, seed: seed), "seed \(seed)")
            let walker = walk.walked(in: world, seed: seed + 1_000)
            if !walk.isReached(by: walker, world) {
                lost.append("seed \(seed): \(walker.log.joined(separator: "\n  "))")
            }
        }
        #expect(lost.count <= 1, "\(lost.joined(separator: "\n"))")
    }

    @Test("A traveller who is told the wrong side is lost", arguments: ["house", "museum"])
    func canary(name: String) throws {
        let site = try #require(try ReadSite.named(name))
        let world = TouchWorld(site.guide.site.document)
        var reached = 0
        for seed in 0..<Self.walks {
            var walk = try #require(BlindWalk(site, seed: seed), "seed \(seed)")
            walk.texts = walk.texts.map { text in
                text.replacing(" left", with: " @").replacing(" right", with: " left")
                    .replacing(" @", with: " right")
            }
            let walker = walk.walked(in: world, seed: seed + 1_000)
            if walk.isReached(by: walker, world) { reached += 1 }
        }
        #expect(reached < Self.walks / 2, "\(reached) reached the room all the same")
    }

    @Test("The wall that the words count by is the wall that a cane finds", arguments: 0..<20)
    func walls(seed: Int) throws {
        let site = try #require(try ReadSite.named("museum"))
        let world = TouchWorld(site.guide.site.document)
        var random = SeededRandom(seed: seed)
        for record in site.guide.site.document.rooms {
            let outline = try #require(record.outline.polygon)
            let wall = try #require(RoomWall(outline))
            let point = Point(
                x: Double.random(in: -2...32, using: &random),
                y: Double.random(in: -2...26, using: &random))
            let foot = wall.foot(of: point)
            let touch = try #require(world.touch(record.id, from: point))
            #expect(abs(foot.metres - touch.metres) < 1e-6, "\(record.id) \(point)")
            #expect(abs(wall.metres - world.circumference(record.id)) < 1e-6)
            guard outline.contains(point), foot.metres > 1 else { continue }
            let degrees = Double.random(in: 0..<360, using: &random)
            let hit = try #require(wall.hit(from: point, degrees: degrees))
            let walked = world.straight(
                in: record.id, from: point, degrees: degrees, metres: 100)
            #expect(walked.isWall && abs(walked.metres - hit.metres) < 0.25)
        }
    }
}
