import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import SiteEditor

@Suite("Twins among a page's places") struct PageTwinsTests {
    private static func names(
        _ random: inout SeededRandom, rooms count: Int
    ) throws -> PageNames {
        var document = SampleSite.index.document
        document.rooms.removeAll { $0.id.text == "C" }
        for number in 0..<count {
            let (x, y) = (
                Double.random(in: 0...18, using: &random), Double.random(in: 0...5, using: &random)
            )
            // Some names are those of several rooms, and some rooms are twins.
            let name = ["Toilet", "toilet", "Shop"].randomElement(using: &random) ?? ""
            document.rooms.append(
                RoomRecord(
                    id: RoomID("r\(number)"), floor: SampleSite.ground,
                    name: number % 2 == 0 ? name : "Lab \(number / 4)", kind: "room",
                    outline: [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]))
        }
        return PageNames(
            index: try SiteIndex(document), words: PageWords.words(inLanguage: "en"),
            language: "en")
    }

    /// The same, slowly: all names around each twin in order, the nearest pair first.
    private static func slow(_ twins: [RoomRecord], _ names: PageNames) -> [String?] {
        var pairs: [(metres: Double, twin: Int, name: String)] = []
        for (number, twin) in twins.enumerated() {
            guard let own = names.index.room(twin.id),
                let point = own.outline.polygon?.centroid
            else { continue }
            for room in names.index.rooms
            where room.floor == own.floor && room.id != own.id
                && room.name.lowercased() != twin.name.lowercased()
            {
                guard let middle = room.outline.polygon?.centroid else {
                    continue
                }
                pairs.append((middle.distance(to: point), number, room.name))
            }
        }
        pairs.sort { ($0.metres, $0.twin) < ($1.metres, $1.twin) }
        var given = [String?](repeating: nil, count: twins.count)
        for pair in pairs where given[pair.twin] == nil && !given.contains(pair.name) {
            given[pair.twin] = pair.name
        }
        for pair in pairs where given[pair.twin] == nil { given[pair.twin] = pair.name }
        return given
    }

    @Test("Each gets the name that all names around all of them would give it", arguments: 1...20)
    func near(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let names = try Self.names(&random, rooms: 4 + seed * 2)
        let twins = names.index.rooms.filter { $0.name.lowercased() == "toilet" }
        let found = twins.map {
            PageNames.Twin(name: "Toilet", line: "Ground floor", place: .room($0.id))
        }
        #expect(names.near(found) == Self.slow(twins, names))
        // In a list with others, as the directory has it.
        let other = PageNames.Twin(name: "Hall", line: "Ground floor", place: nil)
        #expect(names.near(amongTwins: [other] + found) == [nil] + names.near(found))
    }
}
