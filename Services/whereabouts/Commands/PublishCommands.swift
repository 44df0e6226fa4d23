import Events
import HTTPClient
import JSON

extension Command {
    public static let publish = Command(
        name: "publish", summary: "publish a site's draft",
        help: """
            whereabouts publish --site ID [--testers | --end-test]

              --testers   show it to testers only, as the site ID.test
              --end-test  end the test: remove the site ID.test with its positions and visits. The
                          draft stays. A test also ends when the draft is published to everyone

            Publishes the complete draft as the next version. The last line is JSON; with --testers
            it names the testers' site and its version. Needs WHEREABOUTS_URL and
            WHEREABOUTS_TOKEN, the token of an administrator.
            """,
        run: { invocation in
            let request = try PublishRequest(invocation.arguments)
            let services = try ServiceClient()
            defer { services.client.close() }
            try await request.send(to: services, invocation)
        })

    public static let versions = Command(
        name: "versions", summary: "list a site's versions, and who published them",
        help: """
            whereabouts versions --site ID [--limit N]

              --limit  how many, the newest first (default 20)

            Prints one JSON object per version. Needs WHEREABOUTS_URL and WHEREABOUTS_TOKEN.
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

    /// Publishes an older version's document as the next version.
    public static let restore = Command(
        name: "restore", summary: "publish an older version of a site again",
        help: """
            whereabouts restore VERSION --site ID

            Publishes the contents of that version as the next one; `whereabouts versions` lists
            the versions. Who sees the site, and its link, stay as they are now. Rooms are again
            for those for whom they were. The draft becomes that version, too: edits that were
            not published can be brought back by an undo. The last line is JSON. Needs
            WHEREABOUTS_URL and WHEREABOUTS_TOKEN, the token of an administrator.
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
        invocation.note(
            "Version \(now ?? 0) of \(site) is published; it equals version \(version). "
                + "Who sees the site has not changed. The draft equals it, too; an undo brings "
                + "back edits that were not published.")
        invocation.output(String(decoding: answer.body, as: UTF8.self))
    }
}

/// The elements of a list in a JSON object, each as one line of JSON.
///
/// - Parameter member: the list's name.
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
