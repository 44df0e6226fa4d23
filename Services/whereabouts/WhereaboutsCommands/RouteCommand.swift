import HTTPClient
import JSON

extension Command {
    /// Tells the way from room to room.
    public static let route = Command(
        name: "route", summary: "tell the way from room to room",
        help: """
            whereabouts route FROM TO [--site SITE] [--profile NAME] [--avoid WHAT]... [--language TAG]

              FROM, TO    ids of rooms
              --site      where there are several
              --profile   walking, step-free-strict, step-free-preferred or wheelchair (default walking)
              --avoid     such as stairs-down; docs/openapi.json lists them
              --language  en, cy or de (default en)

            Asks the services at WHEREABOUTS_URL with WHEREABOUTS_TOKEN.
            """,
        run: { try await route($0) })

    private static func route(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--profile", "--avoid", "--language"])
        guard reader.positional.count == 2 else {
            throw UsageFault("route needs the room to begin in and the room to get to")
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        let body = question(reader)
        let answer = try await services.call("POST", "router", "/v1/routes", body: body)
        let told = try JSONParser.read(answer) { ToldRoute($0) }
        for line in told.lines { invocation.note(line) }
        var line = JSONWriter()
        line.beginObject()
        line.field("found", told.isFound)
        line.field("distanceMetres", told.metres, decimals: 2)
        line.field("seconds", told.seconds, decimals: 1)
        line.endObject()
        invocation.output(line.finishText())
    }

    private static func question(_ reader: ArgumentReader) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", reader.last("--site"))
        writer.name("from")
        writer.place(reader.positional[0])
        writer.name("to")
        writer.beginArray()
        writer.place(reader.positional[1])
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

extension JSONWriter {
    fileprivate mutating func place(_ room: String) {
        beginObject()
        field("room", room)
        endObject()
    }
}

/// The first route of an answer, or why there is none, as people read it.
private struct ToldRoute: Sendable {
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
            let minutes = Int(((seconds ?? 0) / 60).rounded(.up))
            lines = ["\(Int((metres ?? 0).rounded())) m, \(minutes) min"]
            for text in texts(route["instructions"]) { lines.append("\(lines.count). \(text)") }
            // The others are alternatives.
            return
        }
    }
}

/// The member `text` of each object of a list.
private func texts(_ list: JSONValue?) -> [String] {
    var texts: [String] = []
    guard let list = list?.array else { return [] }
    for element in list { texts.append(element.object?["text"]?.string ?? "") }
    return texts
}
