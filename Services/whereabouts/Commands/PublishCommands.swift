import Events
import HTTPClient
import JSON

extension Command {
    /// Publishes a site's draft.
    public static let publish = Command(
        name: "publish", summary: "publish a site's draft",
        help: """
            whereabouts publish --site ID [--testers]

              --testers  show it to testers only

            Publishes all that is in the draft as the next version. The last line is JSON. Needs
            WHEREABOUTS_URL and WHEREABOUTS_TOKEN of an administrator.
            """,
        run: { try await publish($0) })

    private static func publish(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site"], flags: ["--testers"])
        guard let site = try reader.site("--site"), reader.positional.isEmpty else {
            throw UsageFault("publish needs --site ID")
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        guard let draft = try await services.draft(site) else { throw SiteMissing(site: site) }
        let version = try await services.publishDraft(
            site, tag: draft.tag, toTesters: reader.has("--testers"))
        invocation.note(
            version.map { "Version \($0) of \(site) is published." }
                ?? "Testers see the draft of \(site) now.")
        var line = JSONWriter()
        line.beginObject()
        line.field("site", site.text)
        if let version { line.field("version", version) }
        line.endObject()
        invocation.output(line.finishText())
    }

    /// Lists a site's versions.
    public static let versions = Command(
        name: "versions", summary: "list a site's versions, and who published them",
        help: """
            whereabouts versions --site ID [--limit N]

              --limit  how many, the newest first (default 20)

            One JSON object a line. Needs WHEREABOUTS_URL and WHEREABOUTS_TOKEN.
            """,
        run: { try await versions($0) })

    private static func versions(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: ["--site", "--limit"])
        guard let site = try reader.site("--site"), reader.positional.isEmpty else {
            throw UsageFault("versions needs --site ID")
        }
        let limit = try reader.unsigned("--limit") ?? 20
        let services = try ServiceClient()
        defer { services.client.close() }
        let answer = try await services.call(
            "GET", "site-editor", "/v1/sites/\(site)/versions?limit=\(limit)")
        for line in try objects(of: "versions", in: answer) { invocation.output(line) }
    }

    /// Publishes what an old version said.
    public static let restore = Command(
        name: "restore", summary: "publish an older version of a site once more",
        help: """
            whereabouts restore VERSION --site ID

            Publishes what that version said as the next one; `versions` lists them. The last line is
            JSON. Needs WHEREABOUTS_URL and WHEREABOUTS_TOKEN of an administrator.
            """,
        run: { try await restore($0) })

    private static func restore(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(invocation.arguments, options: ["--site"])
        guard let site = try reader.site("--site"), reader.positional.count == 1,
            let version = Int(reader.positional[0]), version > 0
        else { throw UsageFault("restore needs the number of a version and --site ID") }
        let services = try ServiceClient()
        defer { services.client.close() }
        guard let published = try await services.publishedSite(site) else {
            throw SiteMissing(site: site)
        }
        let answer = try await services.send(
            "POST", "site-editor", "/v1/sites/\(site)/versions/\(version)/restore",
            headers: [("if-match", "\"\(published.version)\"")])
        let now = try JSONParser.read(answer.body) { root in root.object?["version"]?.int }
        invocation.note("Version \(now ?? 0) of \(site) says what version \(version) said.")
        invocation.output(String(decoding: answer.body, as: UTF8.self))
    }
}

/// The elements of a member that is a list of objects, each as one line.
func objects(of member: String, in body: [UInt8]) throws -> [String] {
    try JSONParser.read(body) { root in
        var lines: [String] = []
        guard let object = root.object else { return lines }
        for one in object where one.name.string == member {
            guard let list = one.value.array else { continue }
            for element in list {
                var writer = JSONWriter()
                writer.value(element)
                lines.append(writer.finishText())
            }
        }
        return lines
    }
}
