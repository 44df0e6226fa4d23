import Directions
import Events
import HTTPClient
import JSON

extension Command {
    /// Describes the way from one place to another.
    public static let route = Command(
        name: "route", summary: "describe the way from one place to another",
        help: """
            whereabouts route FROM TO [--site SITE] [--profile NAME] [--avoid WHAT]...
                [--language TAG]

              FROM        the name or the id of a room or a location
              TO          the same, or anything else that search finds; or a kind, such as
                          kind=toilet; or `out` for the nearest way out
              --site      needed where there are several sites
              --profile   walking, step-free-strict, step-free-preferred, wheelchair or by-touch
                          (default: walking)
              --avoid     such as stairs-down; docs/openapi.json lists all
              --language  \(alternatives(DirectionLanguages.all.map(\.code), indent: 14))
                          (default: en)

            Asks the services at WHEREABOUTS_URL with WHEREABOUTS_TOKEN.
            """,
        run: { try await route($0) })

    private static func route(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--profile", "--language"],
            lists: ["--avoid"])
        guard reader.positional.count == 2 else {
            throw UsageFault("route needs the place to start from and the place to go to")
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        let finder = NamedPlaces(
            services: services, site: try await site(reader, services),
            language: reader.last("--language") ?? "en")
        let from = try await finder.find(reader.positional[0])
        let to = try await finder.find(reader.positional[1])
        for place in [from, to] { if let note = place.note { invocation.note(note) } }
        let body = question(reader, site: finder.site, from: from, to: to)
        let answer = try await services.call("POST", "router", "/v1/routes", body: body)
        let route = try JSONParser.read(answer) { DescribedRoute($0) }
        for line in route.lines { invocation.note(line) }
        var line = JSONWriter()
        line.beginObject()
        line.field("found", route.isFound)
        line.field("distanceMetres", route.metres, decimals: 2)
        line.field("seconds", route.seconds, decimals: 1)
        line.endObject()
        invocation.output(line.finishText())
    }

    /// The site that `--site` names, else the only site that the token may see.
    private static func site(
        _ reader: ArgumentReader, _ services: ServiceClient
    ) async throws -> String {
        if let site = try reader.site("--site") { return site.text }
        let answer = try await services.call("GET", "site-editor", "/v1/sites")
        let sites = try JSONParser.read(answer) { root in
            var ids: [String] = []
            guard let list = root.object?["sites"]?.array else { return ids }
            for site in list { ids.append(site.object?["id"]?.string ?? "") }
            return ids
        }
        guard let only = sites.first, sites.count == 1 else {
            throw CommandFault(
                sites.isEmpty
                    ? "there is no site yet"
                    : "name one with --site: \(sites.joined(separator: ", "))")
        }
        return only
    }

    private static func question(
        _ reader: ArgumentReader, site: String, from: NamedPlaces.Place, to: NamedPlaces.Place
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site)
        writer.name("from")
        from.write(to: &writer)
        writer.name("to")
        writer.beginArray()
        to.write(to: &writer)
        writer.endArray()
        writer.field("profile", reader.last("--profile"))
        writer.name("avoid")
        writer.beginArray()
        for way in reader.all("--avoid") { writer.string(way) }
        writer.endArray()
        writer.field("language", reader.last("--language") ?? "en")
        writer.endObject()
        return writer.finish()
    }

}

/// The first route of an answer as lines for people, or the reason why there is none.
struct DescribedRoute: Sendable {
    var isFound = false
    var metres: Double?
    var seconds: Double?
    var lines: [String] = []

    init(_ root: JSONValue) {
        guard let object = root.object else { return }
        isFound = object["found"]?.bool ?? false
        if let reason = object["reason"]?.object {
            lines = [reason["text"]?.string ?? ""]
            lines += texts(reason["barriers"]).map { "- \($0)" }
        }
        guard let routes = object["routes"]?.array else { return }
        for route in routes {
            guard let route = route.object else { continue }
            metres = route["distanceMetres"]?.double
            seconds = route["seconds"]?.double
            let shut = [route["shutEnd"]?.object?["text"]?.string].compactMap(\.self)
            guard route["legs"]?.array?.count ?? 0 > 0 else {
                lines = ["You are there already."] + shut
                return
            }
            lines = [spokenLength(metres: metres ?? 0, seconds: seconds ?? 0)] + shut
            for (number, text) in texts(route["instructions"]).enumerated() {
                lines.append("\(number + 1). \(text)")
            }
            // The routes after the first are alternatives, which are not shown.
            return
        }
    }
}

/// A way's length, rounded as its steps round theirs, and its time to the nearest minute.
func spokenLength(metres: Double, seconds: Double) -> String {
    let length =
        switch SpokenDistance(metres: metres) {
        case .metres(let count): "\(count) m"
        case .tenthsOfKilometre(let tenths): "\(tenths / 10).\(tenths % 10) km"
        case nil: "0 m"
        }
    return "\(length), \(max(1, Int((seconds / 60).rounded()))) min"
}

/// The member `text` of each object of a list.
private func texts(_ list: JSONValue?) -> [String] {
    var texts: [String] = []
    guard let list = list?.array else { return [] }
    for element in list { texts.append(element.object?["text"]?.string ?? "") }
    return texts
}
