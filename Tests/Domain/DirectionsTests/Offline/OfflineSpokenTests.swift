import Events
import Foundation
import Geometry
import SeededRandomness
import Site
import Testing
import Wayfinding
import Wire

@testable import Directions

/// The visitor's page tells a kept way by ear. Its own modules run under node.
@Suite("Steps by ear without a connection") struct OfflineSpokenTests {
    /// WHEREABOUTS_OFFLINE_PAIRS=1000 takes so many pairs of rooms at all sites.
    private static let wanted = ProcessInfo.processInfo.environment["WHEREABOUTS_OFFLINE_PAIRS"]
        .flatMap { Int($0) }
    static let sites = wanted == nil ? ["house", "museum"] : ReadSite.names
    private static let pairs = wanted ?? 150
    /// A Thursday in November at 18:30.
    private static let departAt = Timestamp(milliseconds: 1_763_663_400_000)
    private static let languages: [any DirectionLanguage] = [English(), Welsh(), German()]

    private struct Case: Encodable {
        var from: String
        var to: String
        var profile: String
        var at = departAt.milliseconds
        var connections: [String]
        var steps: [String: [Step]]
    }

    private struct Step: Encodable {
        var connection: String
        var text: String
        var warning: String?
    }

    private struct Floor: Encodable {
        var id: String
        var level: String
        var ordinal: Int
        var names: [String: String]
    }

    private struct Room: Encodable {
        struct Corner: Encodable {
            var latitude: Double
            var longitude: Double
        }
        var id: String
        var names: [String: String]
        var outline: [Corner]
    }

    private struct Input: Encodable {
        var floors: [Floor]
        var rooms: [Room]
        var cases: [Case]
    }

    private struct Result: Decodable {
        struct Shown: Decodable {
            var from: String
            var to: String
            var language: String
            var ours: String
            var text: String
            var warning: String
        }
        var ways: Int
        var others: Int
        var sentences: Int
        var warnings: Int
        var differing: Int
        var shown: [Shown]
    }

    @Test("Doors, stairs and dangers are told as by the service", arguments: sites)
    func known(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        let result = try Self.told(site)
        #expect(result.differing == 0, "\(result.shown.prefix(5))")
        #expect(result.ways > result.others, "\(result.ways) ways, \(result.others) others")
        #expect(result.sentences > 100)
    }

    @Test("So are facts that are sown at random", arguments: ["house", "museum"])
    func sown(name: String) throws {
        let site = try #require(try ReadSite.named(name))
        var document = site.guide.site.document
        var random = SeededRandom(seed: 31)
        Self.sow(&document, &random)
        let result = try Self.told(try ReadSite(name, document))
        #expect(result.differing == 0, "\(result.shown.prefix(5))")
        #expect(result.sentences > 300 && result.warnings > 100, "\(result)")
    }

    /// States facts of half of all doors, stairs and rooms.
    private static func sow(_ document: inout SiteDocument, _ random: inout SeededRandom) {
        let grounds = ["carpet", "marble", "sett", "gravel", "pebbledash"]
        for index in document.connections.indices where Bool.random(using: &random) {
            var record = document.connections[index]
            switch record.kind {
            case .door:
                record.doorKind = DoorKind.allCases.randomElement(using: &random)
                record.opens = DoorSwing.allCases.randomElement(using: &random)
                record.isGlass = Bool.random(using: &random)
                record.isAutomatic = Bool.random(using: &random)
            case .stairs, .escalator:
                record.handrail = Handrail.allCases.randomElement(using: &random)
                record.steps = Int.random(in: 1...30, using: &random)
            case .walk, .ramp:
                record.handrail = Handrail.allCases.randomElement(using: &random)
                record.surface = grounds.randomElement(using: &random)
            case .lift, .platformLift: break
            }
            if Bool.random(using: &random), !record.isOneWay { record.reverse() }
            document.connections[index] = record
        }
        for index in document.rooms.indices where Bool.random(using: &random) {
            document.rooms[index].surface = grounds.randomElement(using: &random)
            document.rooms[index].hasTactilePaving = Bool.random(using: &random)
        }
    }

    private static func told(_ site: ReadSite) throws -> Result {
        let network = try #require(HandedNetwork(site.finder.network))
        let index = site.guide.site
        let document = NetworkDocument(
            at: SiteID(site.name), version: 1, building: nil,
            timeZone: index.document.buildings.first?.timeZone ?? "GMT", frame: index.frame,
            network: network)
        var text = Data(#"{"network":"#.utf8) + Data(document.json) + Data(",".utf8)
        let input = Input(floors: floors(index), rooms: rooms(site), cases: cases(site))
        text += try JSONEncoder().encode(input).dropFirst()
        return try JSONDecoder().decode(
            Result.self, from: try AppScript.run("speak_network.js", text))
    }

    private static func floors(_ index: SiteIndex) -> [Floor] {
        index.floors.map {
            Floor(
                id: $0.id.text, level: $0.level, ordinal: $0.ordinal, names: $0.names.byLanguage)
        }
    }

    private static func rooms(_ site: ReadSite) -> [Room] {
        let index = site.guide.site
        return index.rooms.map { record in
            var names: [String: String] = [:]
            for language in languages {
                names[language.code] = site.guide.names(in: language).named(record.id) ?? ""
            }
            let corners = record.outline.polygon?.corners ?? []
            return Room(
                id: record.id.text, names: names,
                outline: (corners + corners.prefix(1)).map {
                    let place = index.frame.geographic($0)
                    return Room.Corner(latitude: place.latitude, longitude: place.longitude)
                })
        }
    }

    private static func cases(_ site: ReadSite) -> [Case] {
        var random = SeededRandom(seed: 5)
        let rooms = site.guide.site.rooms
        var cases: [Case] = []
        for number in 0..<pairs {
            guard let from = rooms.randomElement(using: &random)?.id,
                let to = rooms.randomElement(using: &random)?.id
            else { continue }
            // Two profiles take stairs, one takes lifts.
            let profile: TravelProfile.Name = [.byTouch, .walking, .stepFreeStrict][number % 3]
            let query = RouteQuery(
                from: .room(from), to: [.room(to)], profile: .named(profile), departAt: departAt)
            guard case .found(let routes) = site.finder.answer(query),
                routes[0].approximateStart == nil, routes[0].approximateEnd == nil
            else { continue }
            var steps: [String: [Step]] = [:]
            for language in languages {
                steps[language.code] = Self.steps(site, routes[0], language)
            }
            cases.append(
                Case(
                    from: from.text, to: to.text, profile: profile.rawValue,
                    connections: routes[0].legs.compactMap(Self.thing), steps: steps))
        }
        return cases
    }

    /// The door, the stairs or the lift that a leg leads through.
    private static func thing(_ leg: RouteLeg) -> String? {
        guard case .connection(let id, let kind) = leg.passage, kind != .walk, kind != .ramp else {
            return nil
        }
        return id.text
    }

    /// The sentences for doors, stairs and lifts. Names of these are in no kept map.
    private static func steps(
        _ site: ReadSite, _ route: IndoorRoute, _ language: any DirectionLanguage
    ) -> [Step] {
        let spoken = site.guide.spokenInstructions(for: route, in: language)
        let names = site.guide.names(in: language)
        return spoken.enumerated().dropFirst().compactMap { index, one in
            let connection: ConnectionID
            switch one.step.action {
            case .pass(let door): connection = door.connection
            case .climb(let climb): connection = climb.connection
            case .findDoor, .face, .wall, .ahead, .path, .leaveLift, .arrive: return nil
            }
            guard names.connection(connection) == nil,
                thing(route.legs[one.step.leg]) == connection.text
            else { return nil }
            return Step(
                connection: connection.text, text: one.text,
                warning: spoken[index - 1].step.danger.map { warning($0, language.code) })
        }
    }

    private static func warning(_ danger: Danger, _ code: String) -> String {
        switch code {
        case "cy": Welsh.warning(danger)
        case "de": German.warning(danger)
        default: English.warning(danger)
        }
    }
}
