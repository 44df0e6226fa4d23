import Events
import Foundation
import SeededRandomness
import Site
import Testing
import Wayfinding
import Wire

@testable import Directions

/// The visitor's page searches a network that was handed out. Its own module runs under node.
@Suite("Searches without a connection") struct OfflineSearchTests {
    /// WHEREABOUTS_OFFLINE_PAIRS=1000 takes so many pairs of rooms at all sites. The folder
    /// WHEREABOUTS_OFFLINE_RESULTS keeps the results.
    private static let settings = ProcessInfo.processInfo.environment
    private static let wanted = settings["WHEREABOUTS_OFFLINE_PAIRS"].flatMap { Int($0) }
    static let sites = wanted == nil ? ["house", "museum"] : ReadSite.names
    private static let pairs = wanted ?? 200
    private static let departAt = Timestamp(milliseconds: 1_763_812_800_000)

    private struct Case: Encodable {
        var from: String
        var to: String
        /// Whether the nearest place of the kind `to` is wanted.
        var isKind = false
        var profile: String
        var outages: [Outage]
        var at: Int64
        var limits = Limits()
        var avoidsManual = false
        var cost: UInt32?
        var isNear: Bool
    }

    /// The figures that a reader changed.
    private struct Limits: Encodable {
        var neededWidthMetres: Double?
        var slopeLimit: Double?
        var kerbLimitMetres: Double?
    }

    private struct Outage: Encodable {
        var connection: String
        var from: String
    }

    private struct Input: Encodable {
        var cases: [Case]
    }

    private struct Result: Decodable {
        struct Shown: Decodable {
            var from: String
            var to: String
            var profile: String
            var outages: Int
            var cost: UInt32?
            var ours: UInt32?
            var isNear: Bool
        }
        var cases: Int
        var found: Int
        var differing: Int
        var shown: [Shown]
    }

    @Test("The page finds the costs of the service, also with outages", arguments: sites)
    func same(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        let cases = Self.cases(site)
        let network = try #require(HandedNetwork(site.finder.network))
        let index = site.guide.site
        let zone = index.document.buildings.first?.timeZone ?? "GMT"
        let document = NetworkDocument(
            at: SiteID(name), version: 1, building: nil, timeZone: zone, frame: index.frame,
            network: network)
        let output = try Self.search(document.json, cases, name)
        let result = try JSONDecoder().decode(Result.self, from: output)
        #expect(result.cases == cases.count)
        #expect(result.found * 4 > result.cases, "few have a way")
        let outages = cases.filter { !$0.outages.isEmpty }
        #expect(outages.contains { $0.cost == nil }, "no outage is in the way")
        #expect(result.differing == 0, "\(result.shown.prefix(5))")
    }

    @Test("It finds the nearest lift and stairs of the service, also where some are out of order")
    func kinds() throws {
        let site = try #require(try ReadSite.named("museum"))
        var cases: [Case] = []
        let (before, after) = (Int64(-3_600_000_000), Int64(10_000_000))
        for closed in [[], ["lift"], ["stairs"], ["lift", "stairs"]] as [[String]] {
            for begin in [before, after] {
                for room in site.guide.site.rooms {
                    cases += Self.nearest(site, from: room.id, closed, begin)
                }
            }
        }
        #expect(cases.contains { $0.cost == nil } && cases.contains { $0.cost != nil })
        let index = site.guide.site
        let network = NetworkDocument(
            at: SiteID("museum"), version: 1, building: nil, timeZone: "Europe/London",
            frame: index.frame, network: try #require(HandedNetwork(site.finder.network)))
        let output = try Self.search(network.json, cases, "museum-kinds")
        let result = try JSONDecoder().decode(Result.self, from: output)
        #expect(result.cases == cases.count && result.differing == 0, "\(result.shown.prefix(5))")
    }

    private static func nearest(
        _ site: ReadSite, from: RoomID, _ closed: [String], _ begin: Int64
    ) -> [Case] {
        let outages = closed.map {
            WayOutage(
                connection: ConnectionID($0), from: departAt.advanced(byMicroseconds: begin))
        }
        let pairs = ["lift", "stairs"].flatMap { kind in
            TravelProfile.Name.allCases.map { (kind, $0) }
        }
        return pairs.map { kind, profile in
            let query = RouteQuery(
                from: .room(from), to: [.kind(kind)], profile: .named(profile),
                departAt: departAt)
            let answer = site.finder.answer(query, outages: outages)
            var cost: UInt32?
            if case .found(let routes) = answer { cost = routes[0].costMilliseconds }
            return Case(
                from: from.text, to: kind, isKind: true, profile: profile.rawValue,
                outages: outages.map {
                    Outage(connection: $0.connection.text, from: $0.from.text)
                }, at: departAt.milliseconds, cost: cost, isNear: false)
        }
    }

    /// Pairs of rooms, each for all profiles. In half of them, lifts and other connections are out.
    private static func cases(_ site: ReadSite) -> [Case] {
        var random = SeededRandom(seed: 11)
        let index = site.guide.site
        let zone = index.document.buildings.first.flatMap { TimeZone(identifier: $0.timeZone) }
        let moment = Date(timeIntervalSince1970: Double(departAt.milliseconds) / 1_000)
        var cases: [Case] = []
        for number in 0..<pairs {
            let from = index.rooms[Int.random(in: index.rooms.indices, using: &random)].id
            let to = index.rooms[Int.random(in: index.rooms.indices, using: &random)].id
            let closed = index.document.connections.filter { record in
                let share = record.kind == .lift ? 2 : 10
                return number % 2 == 1 && Int.random(in: 0..<share, using: &random) == 0
            }
            let begin = departAt.advanced(byMicroseconds: -3_600_000_000)
            let outages = closed.map { WayOutage(connection: $0.id, from: begin) }
            for profile in TravelProfile.Name.allCases {
                var figures = TravelProfile.named(profile)
                var limits = Limits()
                if profile == .wheelchair, number % 3 == 0 {
                    limits.neededWidthMetres = [0.7, 0.9, 1.2].randomElement(using: &random)
                    limits.slopeLimit = [0.03, 0.1].randomElement(using: &random)
                    limits.kerbLimitMetres = [0, 0.1].randomElement(using: &random)
                    figures.neededWidthMetres = limits.neededWidthMetres
                    figures.slopeLimit = limits.slopeLimit
                    figures.kerbLimitMetres = limits.kerbLimitMetres
                    figures.avoided = [.manualDoors]
                }
                let query = RouteQuery(
                    from: .room(from), to: [.room(to)], profile: figures,
                    departAt: departAt, utcOffsetSeconds: zone?.secondsFromGMT(for: moment) ?? 0)
                var one = Case(
                    from: from.text, to: to.text, profile: profile.rawValue,
                    outages: closed.map {
                        Outage(connection: $0.id.text, from: "2025-11-22T11:00:00.000Z")
                    }, at: departAt.milliseconds, limits: limits,
                    avoidsManual: !figures.avoided.isEmpty, cost: nil, isNear: false)
                if case .found(let routes) = site.finder.answer(query, outages: outages) {
                    one.cost = routes[0].costMilliseconds
                    one.isNear =
                        routes[0].approximateStart != nil || routes[0].approximateEnd != nil
                }
                cases.append(one)
            }
        }
        return cases
    }

    /// The output of the page's module.
    private static func search(
        _ network: [UInt8], _ cases: [Case], _ name: String
    ) throws -> Data {
        var text = Data(#"{"network":"#.utf8) + Data(network) + Data(",".utf8)
        text += try JSONEncoder().encode(Input(cases: cases)).dropFirst()
        let result = try AppScript.run("search_network.js", text)
        if let kept = settings["WHEREABOUTS_OFFLINE_RESULTS"] {
            try result.write(to: URL(filePath: kept).appending(path: "\(name).json"))
            try Data(network).write(to: URL(filePath: kept).appending(path: "\(name)-network.json"))
        }
        return result
    }
}
