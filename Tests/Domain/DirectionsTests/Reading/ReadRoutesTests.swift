import Events
import Foundation
import Geometry
import Repository
import Site
import Testing
import Wayfinding

@testable import Directions

/// The texts of sixty routes in three languages, and of twelve walks by ear on each site.
/// Tests/Domain/Golden keeps them. Every line was read, in English, Welsh and German, but not by a
/// native speaker of Welsh.
///
/// After a change of the words, write the files anew, and read what has changed:
///
///     WHEREABOUTS_GOLDEN=write swift test --filter ReadRoutesTests
///     git diff Tests/Domain/Golden
@Suite("Sixty routes that were read") struct ReadRoutesTests {
    private static let seed = 17
    private static let folder = repository.appending(path: "Tests/Domain/Golden")

    @Test("The words of fifteen routes are those that were read", arguments: ReadSite.names)
    func words(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        let text = ReadRoutes(site: site).text(seed: Self.seed)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("## ") } == 15)
        try Self.compare(text, with: "routes-\(name).txt")
    }

    /// The most that a rounded length is off.
    private static func slack(_ metres: Double) -> Double {
        switch metres {
        case ..<19.5: 0.5
        case ..<97.5: 2.5
        case ..<995: 5
        default: 50
        }
    }

    private static func shown(_ metres: Double) -> Double {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): Double(count)
        case .tenthsOfKilometre(let tenths): Double(tenths) * 100
        case nil: 0
        }
    }

    /// The metres to walk that a sentence states, such as `walk 20 metres` and `for 1.2 km`.
    private static func stated(in text: String) -> [Double] {
        text.matches(of: #/(\d+(?:\.\d+)?) (metres?|km)\b(?! away)/#).compactMap { match in
            Double(match.1).map { $0 * (match.2 == "km" ? 1_000 : 1) }
        }
    }

    @Test("No route's steps contradict its length by more than rounding", arguments: ReadSite.names)
    func lengths(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        var routes = 0
        for (title, drawn) in ReadRoutes(site: site).drawn(seed: Self.seed) {
            guard case .found(let found) = drawn.answer, let route = found.first else { continue }
            routes += 1
            let steps = site.guide.instructions(
                for: route, to: drawn.query.to[0], in: English())
            let walks = steps.map(\.manoeuvre.metres)
            // Stairs and lifts count for the length, and short walks beside them too.
            #expect(walks.reduce(0, +) <= route.distanceMetres + 0.5, "\(title)")
            let stated = steps.flatMap { Self.stated(in: $0.text) }.reduce(0, +)
            let slack = walks.map(Self.slack).reduce(Self.slack(route.distanceMetres), +)
            #expect(stated <= Self.shown(route.distanceMetres) + slack, "\(title)")
        }
        #expect(routes > 5)
    }

    @Test("The words of twelve walks by touch are those that were read", arguments: ReadSite.names)
    func spoken(name: String) throws {
        guard let site = try ReadSite.named(name) else { return }
        var lines: [String] = []
        for seed in 0..<12 {
            let walk = try #require(BlindWalk(site, seed: seed), "seed \(seed)")
            lines.append(
                "## \(name) \(seed + 1): \(site.name(.room(walk.start))) -> "
                    + site.name(.room(walk.end)))
            // The first walks are read in all languages.
            let languages: [any DirectionLanguage] = [English(), Welsh(), German()]
            for language in languages.prefix(seed < 3 ? 3 : 1) {
                lines += walk.lines(site, language)
            }
            lines.append("")
        }
        try Self.compare(lines.joined(separator: "\n"), with: "spoken-\(name).txt")
    }

    /// Ways by stairs, from outdoors and to there, and through doors of each kind.
    private static let touched: [(from: RoutePlace, to: RoutePlace)] = [
        (.point(floor: nil, [60, -7]), .room(RoomID("paintings"))),
        (.room(RoomID("clocks")), .point(floor: nil, [-25, -7])),
        (.room(RoomID("cafe")), .room(RoomID("shop"))),
        (.room(RoomID("greece")), .room(RoomID("theatre"))),
    ]

    @Test("The words for those who go by touch and avoid lifts are those that were read")
    func touch() throws {
        let site = try #require(try ReadSite.named("museum"))
        var profile = TravelProfile.byTouch
        profile.avoided = [.liftsUp, .liftsDown]
        var lines: [String] = []
        for (from, to) in Self.touched {
            // A Thursday in November at 18:30 local time, when the theatre is open, and at noon.
            let hours = to == .room(RoomID("theatre")) ? 6.5 : 0
            let moment = Timestamp(milliseconds: 1_763_640_000_000 + Int64(hours * 3_600_000))
            let query = RouteQuery(from: from, to: [to], profile: profile, departAt: moment)
            guard case .found(let routes) = site.finder.answer(query) else {
                Issue.record("no way from \(from) to \(to)")
                continue
            }
            lines.append("## \(site.name(from)) -> \(site.name(to))")
            for language in DirectionLanguages.all {
                let written = site.guide.instructions(
                    for: routes[0], to: to, isByTouch: true, in: language)
                lines += written.map { "\(language.code) \($0.text)" }
                let faults = written.flatMap {
                    WordFaults(language: language.code).faults($0.text)
                }
                #expect(faults.isEmpty, "\(faults)")
                for step in site.guide.spokenInstructions(for: routes[0], to: to, in: language) {
                    lines.append("\(language.code) > \(step.text)")
                    lines += step.announcements.map {
                        "\(language.code)    \($0.metresBefore) m: \($0.text)"
                    }
                }
            }
            lines.append("")
        }
        try Self.compare(lines.joined(separator: "\n"), with: "touch-museum.txt")
    }

    private static func compare(_ text: String, with name: String) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["WHEREABOUTS_GOLDEN"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        let read = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let (lines, kept) = (lines(text), lines(read))
        for (line, other) in zip(lines, kept) where line != other {
            Issue.record("\(name) says: \(line)\nbut this was read: \(other)")
            return
        }
        #expect(lines.count == kept.count)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("Stairs, lifts, outdoors, outages, wheels and answers without a route are among them")
    func kinds() throws {
        var seen: Set<String> = []
        for name in ReadSite.names {
            guard let site = try ReadSite.named(name) else { continue }
            for entry in ReadRoutes(site: site).drawn(seed: Self.seed) {
                seen.insert(entry.drawn.query.profile.name.rawValue)
                seen.formUnion(Self.kinds(entry.drawn))
            }
        }
        let needed: Set<String> = [
            "walking", "step-free-strict", "step-free-preferred", "wheelchair", "stairs", "lift",
            "door", "outdoors", "outage", "none",
        ]
        #expect(seen.isSuperset(of: needed), "\(needed.subtracting(seen)) never occurs")
    }

    private static func kinds(_ drawn: ReadRoutes.Drawn) -> Set<String> {
        guard case .found(let routes) = drawn.answer else {
            return drawn.outages.isEmpty ? ["none"] : ["none", "outage"]
        }
        return routes[0].legs.reduce(into: []) { kinds, leg in
            if leg.startFloor == nil { kinds.insert("outdoors") }
            if case .connection(_, let kind) = leg.passage { kinds.insert(kind.rawValue) }
        }
    }

    @Test("A damaged line is noticed", arguments: ["museum"])
    func canary(name: String) throws {
        let site = try #require(try ReadSite.named(name))
        let routes = ReadRoutes(site: site)
        #expect(routes.text(seed: Self.seed) != routes.text(seed: Self.seed + 1))
    }
}
