import Events
import SeededRandomness
import Site
import Wayfinding

@testable import Directions

/// Fifteen routes of a site, drawn by a seed so that each kind of answer occurs, and their words.
struct ReadRoutes {
    /// A Saturday in November at 12:00, when most places are open, and the Sunday before at 03:00.
    private static let noon = Timestamp(milliseconds: 1_763_812_800_000)
    private static let night = Timestamp(milliseconds: 1_763_262_000_000)
    private static let mostDraws = 400

    struct Drawn {
        var query: RouteQuery
        var outages: [WayOutage]
        var answer: RouteAnswer
    }

    let site: ReadSite

    /// A kind of route that the file needs, and the answers that are of it.
    private struct Wish: Sendable {
        var title: String
        var from = ReadSite.Need.start
        var to = ReadSite.Need.end
        var profile = TravelProfile.walking
        var departAt = ReadRoutes.noon
        var closes: Set<ConnectionRecord.Kind> = []
        var suits: @Sendable (RouteAnswer) -> Bool = { _ in true }
    }

    private static func uses(
        _ kind: ConnectionRecord.Kind, atLeast count: Int = 1
    ) -> @Sendable (RouteAnswer) -> Bool {
        { answer in
            guard case .found(let routes) = answer else { return false }
            let uses = routes[0].legs.count {
                if case .connection(_, kind) = $0.passage { true } else { false }
            }
            return uses >= count
        }
    }

    @Sendable private static func isFound(_ answer: RouteAnswer) -> Bool {
        if case .found(let routes) = answer { routes[0].legs.count > 2 } else { false }
    }

    @Sendable private static func isStopped(_ answer: RouteAnswer) -> Bool {
        if case .none(.barriers) = answer { true } else { false }
    }

    @Sendable private static func isNear(_ answer: RouteAnswer) -> Bool {
        if case .found(let routes) = answer { routes[0].approximateEnd != nil } else { false }
    }

    private static let wide = {
        var profile = TravelProfile.wheelchair
        profile.neededWidthMetres = 1
        return profile
    }()

    private static let wishes: [Wish] = [
        Wish(title: "by stairs", suits: uses(.stairs)),
        Wish(title: "by stairs", suits: uses(.stairs, atLeast: 2)),
        Wish(title: "through doors", suits: uses(.door, atLeast: 3)),
        Wish(title: "from outdoors", from: .outdoors, suits: uses(.door)),
        Wish(title: "to the way out", to: .wayOut, suits: isFound),
        Wish(title: "to a toilet", to: .kind, suits: isFound),
        Wish(title: "by lift", profile: .wheelchair, suits: uses(.lift)),
        Wish(
            title: "in a wheelchair from outdoors", from: .outdoors, profile: .wheelchair,
            suits: isFound),
        Wish(title: "without steps", profile: .stepFreeStrict, suits: isFound),
        Wish(title: "rather without steps", profile: .stepFreePreferred, suits: isFound),
        Wish(title: "near the end", suits: isNear),
        Wish(
            title: "with the lifts out", profile: .wheelchair, closes: [.lift],
            suits: isStopped),
        Wish(title: "in a wide wheelchair", profile: wide, suits: isStopped),
        Wish(title: "at night", from: .outdoors, departAt: night, suits: isStopped),
        Wish(title: "to a room for staff", to: .staff),
    ]

    func drawn(seed: Int) -> [(title: String, drawn: Drawn)] {
        var random = SeededRandom(seed: seed)
        return Self.wishes.compactMap { wish in
            if let drawn = draw(wish, &random) { return drawn }
            // The site has no such place, so another route takes its number.
            return draw(Wish(title: "of any kind"), &random)
        }
    }

    private func draw(
        _ wish: Wish, _ random: inout SeededRandom
    ) -> (title: String, drawn: Drawn)? {
        let starts = site.places(wish.from)
        let ends = site.places(wish.to).isEmpty ? site.places(.end) : site.places(wish.to)
        var last: Drawn?
        for _ in 0..<Self.mostDraws {
            guard let from = starts.randomElement(using: &random),
                let to = ends.randomElement(using: &random), from != to
            else { continue }
            let drawn = answer(wish, from, to)
            if case .none(.unknownPlace) = drawn.answer { continue }
            last = drawn
            if wish.suits(drawn.answer) { return (wish.title, drawn) }
        }
        return last.map { ("of any kind", $0) }
    }

    private func answer(_ wish: Wish, _ from: RoutePlace, _ to: RoutePlace) -> Drawn {
        let query = RouteQuery(
            from: from, to: [to], profile: wish.profile, departAt: wish.departAt)
        let closed = site.guide.site.document.connections.filter { wish.closes.contains($0.kind) }
        let outages = closed.map {
            WayOutage(
                connection: $0.id, from: wish.departAt.advanced(byMicroseconds: -3_600_000_000),
                reason: "repair")
        }
        return Drawn(
            query: query, outages: outages, answer: site.finder.answer(query, outages: outages))
    }

    // MARK: Text

    private static let languages: [any DirectionLanguage] = [English(), Welsh(), German()]

    /// All routes as a person reads them: a heading for each, then each language's lines.
    func text(seed: Int) -> String {
        drawn(seed: seed).enumerated().map { number, entry in
            let (title, drawn) = entry
            let heading =
                "## \(site.name) \(number + 1), \(title) (\(drawn.query.profile.name.rawValue)): "
                + "\(site.name(drawn.query.from)) -> \(site.name(drawn.query.to[0]))"
            let lines = Self.languages.flatMap { language in
                self.lines(drawn, language).map { "\(language.code) \($0)" }
            }
            return ([heading] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    func lines(_ drawn: Drawn, _ language: any DirectionLanguage) -> [String] {
        let clock = LocalClock(now: drawn.query.departAt, utcOffsetSeconds: 0)
        switch drawn.answer {
        case .found(let routes):
            return site.guide.instructions(
                for: routes[0], to: drawn.query.to[0], in: language
            ).map(\.text)
        case .none(let reason):
            let obstacle = Obstacle(reason).map(language.sentence) ?? "-"
            guard case .barriers(let barriers) = reason else { return [obstacle] }
            return [obstacle]
                + barriers.map { site.guide.explanation(of: $0, in: language, clock: clock) }
        }
    }
}
