import Events
import Site
import Testing
import Wayfinding

/// Queries in drawn buildings, and answers written as text.
enum Drawn {
    static let noon = Timestamp(milliseconds: 1_763_812_800_000)

    static func query(
        _ from: RoutePlace, _ to: RoutePlace..., by profile: TravelProfile = .walking
    ) -> RouteQuery {
        RouteQuery(from: from, to: to, profile: profile, departAt: noon)
    }

    static func room(_ id: String) -> RoutePlace { .room(RoomID(id)) }
    static func at(_ id: String) -> RoutePlace { .location(LocationID(id)) }

    /// The answer's rooms by their names and connections by their marks: `a0 + h0 S h1`.
    static func words(_ answer: RouteAnswer) -> String {
        switch answer {
        case .found(let routes): words(routes[0])
        case .none(let reason): "\(reason)"
        }
    }

    static func words(_ route: IndoorRoute) -> String {
        var words: [String] = []
        for leg in route.legs {
            let word =
                switch leg.passage {
                case .room(let room): room.text
                case .approach: "~"
                case .connection(let id, let kind):
                    switch kind {
                    case .door: "+"
                    case .walk: "="
                    case .stairs: "S"
                    case .lift: "L"
                    case .platformLift: "P"
                    case .ramp: "R"
                    case .escalator: id.text.hasPrefix("up") ? "^" : "v"
                    }
                }
            if word != "=" || words.last != "=" { words.append(word) }
        }
        return words.joined(separator: " ")
    }

    static func expect(
        _ building: DrawnBuilding, _ query: RouteQuery, _ expected: String,
        outages: [WayOutage] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let finder = try building.finder()
        let answer = finder.answer(query, outages: outages)
        #expect(words(answer) == expected, sourceLocation: sourceLocation)
        if case .found(let routes) = answer {
            for route in routes {
                expectWhole(route, in: finder.network.site, sourceLocation: sourceLocation)
            }
        }
    }
}
