import Events
import HTTPClient
import JSON
import Site

extension Command {
    /// Shows and changes which positioners locate a site's scans.
    public static let positioner = Command(
        name: "positioner",
        summary: "show, select or compare the positioners of a site, promote one, or go back",
        help: """
            whereabouts positioner show --site ID
            whereabouts positioner compare --site ID
            whereabouts positioner select [NAME] --site ID [--beside NAME]...
            whereabouts positioner promote NAME --site ID
            whereabouts positioner back --site ID [--revision NUMBER]

              NAME        one of those that `show` lists as allowed; WHEREABOUTS_POSITIONERS names
                          them. Without it the site has the installation's default
              compare     a table on stderr: how well the selected ones locate the site's surveys
                          and taps. Its last line says which one to promote, or to keep
              --beside    locate each scan with this one, too, for comparing; at most twice
              promote     serve a positioner from beside. The one served so far takes its place
              --revision  the selection of the history to go back to (default: the one before)

            Each locator applies a change between two scans of a device. One line of stdout is JSON:
            the positioners and the history, as GET /v1/sites/ID/positioner has them, or the figures
            of GET /v1/sites/ID/positioner/comparison. A site has ten changes an hour, and ten more
            for `back`; `select` without NAME and --beside, the default, always works. Needs
            WHEREABOUTS_URL and WHEREABOUTS_TOKEN, the token of an administrator; to show and to
            compare, that of an analyst will do.
            """,
        run: { try await positioner($0) })

    private static func positioner(_ invocation: Invocation) async throws {
        let request = try PositionerRequest(invocation.arguments)
        let services = try ServiceClient()
        defer { services.client.close() }
        let answer = try await services.call(
            request.method, "fingerprint-builder", request.path, body: request.body)
        invocation.output(String(decoding: answer, as: UTF8.self))
        guard request.isComparison else { return }
        let table = try JSONParser.read(answer) { ComparisonTable($0) }
        for line in table.lines { invocation.note(line) }
    }
}

/// The arguments of `whereabouts positioner`, checked, as a request.
struct PositionerRequest: Hashable, Sendable {
    var method = "GET"
    var path: String
    var body: [UInt8] = []
    var isComparison = false

    init(_ arguments: [String]) throws(UsageFault) {
        let reader = try ArgumentReader(
            arguments, options: ["--site", "--revision"], lists: ["--beside"])
        guard let site = try reader.site("--site") else {
            throw UsageFault("positioner needs --site ID")
        }
        path = "/v1/sites/\(site)/positioner"
        let (verb, names) = (reader.positional.first ?? "", reader.positional.dropFirst())
        guard let own = Self.options[verb] else {
            throw UsageFault("positioner needs show, compare, select, promote NAME or back")
        }
        let others = ["--beside", "--revision"].filter { $0 != own }
        guard others.allSatisfy({ reader.last($0) == nil }) else {
            throw UsageFault("--beside is for select only, and --revision for back only")
        }
        switch (verb, names.count) {
        case ("show", 0): break
        case ("compare", 0):
            isComparison = true
            path += "/comparison"
        case ("select", 0...1):
            method = "PUT"
            body = Self.json {
                $0.field("served", names.first)
                $0.name("beside")
                $0.beginArray()
                for name in reader.all("--beside") { $0.string(name) }
                $0.endArray()
            }
        case ("promote", 1):
            method = "POST"
            path += "/promote"
            body = Self.json { $0.field("positioner", names.first) }
        case ("back", 0):
            method = "POST"
            path += "/back"
            let revision = try Self.revision(reader)
            body = Self.json { $0.field("revision", revision) }
        default: throw UsageFault("positioner \(verb) has too many names, or too few")
        }
    }

    /// The option that belongs to each verb; empty for none.
    private static let options = [
        "show": "", "compare": "", "select": "--beside", "promote": "", "back": "--revision",
    ]

    private static func revision(_ reader: ArgumentReader) throws(UsageFault) -> Int? {
        guard let text = reader.last("--revision") else { return nil }
        guard let number = Int(text), number > 0 else {
            throw UsageFault("--revision needs a number of the history, not \(text)")
        }
        return number
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(&writer)
        writer.endObject()
        return writer.finish()
    }
}
