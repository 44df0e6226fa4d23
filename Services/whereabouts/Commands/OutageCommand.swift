import Events
import HTTPClient
import JSON

extension Command {
    /// Reports, ends and lists outages of lifts, stairs and doors.
    public static let outage = Command(
        name: "outage",
        summary: "report that a lift, stairs or a door is out of service, or works again",
        help: """
            whereabouts outage begin CONNECTION --site ID --reason TEXT [--from TIME] [--until TIME]
                [--by TEXT]
            whereabouts outage end OUTAGE
            whereabouts outage list --site ID [--all]

              CONNECTION  the id of the lift, the stairs or the door
              --from      such as 2026-11-22T18:00:00Z (default: now)
              --until     when it is expected to work again
              --by        who reports it (default: the command line)
              OUTAGE      the outage's id, as `begin` and `list` print it
              --all       list outages that are over, too

            Routes avoid the connection at once. The last line is JSON. Needs WHEREABOUTS_URL and
            WHEREABOUTS_TOKEN, the token of a surveyor or an administrator.
            """,
        run: { try await outage($0) })

    private static func outage(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--reason", "--from", "--until", "--by"],
            flags: ["--all"])
        let services = try ServiceClient()
        defer { services.client.close() }
        switch (reader.positional.first, reader.positional.count) {
        case ("begin", 2): try await begin(reader, invocation, services)
        case ("end", 2):
            guard let id = EventID(reader.positional[1]) else {
                throw UsageFault(
                    "\(reader.positional[1]) is no outage's id; `outage list` prints the ids")
            }
            try await services.call("DELETE", "site-editor", "/v1/outages/\(id)")
            invocation.output(#"{"ended":"\#(id)"}"#)
        case ("list", 1):
            guard let site = try reader.site("--site") else {
                throw UsageFault("outage list needs --site ID")
            }
            let active = reader.has("--all") ? "" : "&active=true"
            let answer = try await services.call(
                "GET", "site-editor", "/v1/outages?site=\(site)&limit=1000\(active)")
            for line in try objects(of: "outages", in: answer) { invocation.output(line) }
        default: throw UsageFault("outage needs begin CONNECTION, end OUTAGE or list")
        }
    }

    private static func begin(
        _ reader: ArgumentReader, _ invocation: Invocation, _ services: ServiceClient
    ) async throws {
        guard let site = try reader.site("--site"), let reason = reader.last("--reason") else {
            throw UsageFault("outage begin needs --site ID and --reason TEXT")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("connection", reader.positional[1])
        writer.field("from", reader.last("--from"))
        writer.field("until", reader.last("--until"))
        writer.field("reason", reason)
        writer.field("reportedBy", reader.last("--by") ?? "the command line")
        writer.endObject()
        let answer = try await services.call(
            "POST", "site-editor", "/v1/outages", body: writer.finish())
        invocation.output(String(decoding: answer, as: UTF8.self))
    }
}
