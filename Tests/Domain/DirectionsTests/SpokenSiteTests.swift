import Events
import Geometry
import MapFormats
import PublicData
import SeededRandomness
import Site
import SiteExchange
import Testing
import Wayfinding

@testable import Directions

/// Directions on real maps, where most rooms have no name.
@Suite("Words on real maps") struct SpokenSiteTests {
    private struct Place {
        var finder: WayFinder
        var guide: RouteGuide
        var ids: Set<String>
    }

    private static func place(_ format: String, _ file: String) throws -> Place? {
        guard let path = SharedData.path(file), let format = MapFormat.named(format) else {
            return nil
        }
        let site = try SiteIndex(try format.read(path, .init()).document)
        let document = site.document
        let ids =
            document.rooms.map(\.id.text) + document.floors.map(\.id.text).filter { $0.count > 4 }
            + document.connections.map(\.id.text) + document.buildings.map(\.id.text)
            + document.locations.map(\.id.text)
        return Place(
            finder: WayFinder(try WayNetwork(site)), guide: RouteGuide(site),
            ids: Set(ids.filter { $0.count > 4 }))
    }

    @Test(
        "No instruction contains an id, in any language",
        arguments: [
            ("imdf", "imdf/polytech.imdf.zip"), ("osm", "osm/moorgate.osm.gz"),
            ("osm", "osm/cologne-central.osm.gz"),
        ])
    func noIDs(format: String, file: String) throws {
        guard let place = try Self.place(format, file) else { return }
        let site = place.guide.site
        let rooms = site.rooms.map { RoutePlace.room($0.id) }
        let entries = site.document.directory.map { RoutePlace.entry($0.id) }
        var random = SeededRandom(seed: 7)
        var (found, stopped) = (0, 0)
        for number in 0..<300 {
            guard let from = rooms.randomElement(using: &random) else { return }
            let ends = number % 3 == 0 && !entries.isEmpty ? entries : rooms
            guard let to = ends.randomElement(using: &random) else { return }
            let query = RouteQuery(
                from: from, to: [to],
                profile: number % 2 == 0 ? .walking : .wheelchair,
                departAt: Timestamp(milliseconds: 1_763_812_800_000))
            for language in DirectionLanguages.all {
                let texts: [String]
                switch place.finder.answer(query) {
                case .found(let routes):
                    found += 1
                    texts = place.guide.instructions(for: routes[0], in: language).map(\.text)
                case .none(.barriers(let barriers)):
                    stopped += 1
                    texts = barriers.map {
                        place.guide.explanation(
                            of: $0, in: language,
                            clock: LocalClock(
                                now: query.departAt, utcOffsetSeconds: 0))
                    }
                case .none: continue
                }
                for text in texts { expectSpoken(text, place.ids) }
            }
        }
        #expect(found + stopped > 40, "\(found) found, \(stopped) stopped")
    }

    private func expectSpoken(_ text: String, _ ids: Set<String>) {
        let words = text.split { " ()„“,.:".contains($0) }.map(String.init)
        for word in words {
            #expect(!ids.contains(word), "\(text)")
            #expect(word.filter { $0 == "-" }.count < 4, "\(text)")
        }
        #expect(!text.contains("  ") && !text.contains(" .") && !text.contains("„“"), "\(text)")
        #expect(!text.contains("()"), "\(text)")
    }
}
