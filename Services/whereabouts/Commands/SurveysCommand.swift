import Events
import HTTPClient
import JSON

extension Command {
    /// Lists, withdraws and reviews surveys over HTTP.
    public static let surveys = Command(
        name: "surveys", summary: "list, withdraw or review surveys",
        help: """
            whereabouts surveys list --site ID [--author ID] [--after ID]
            whereabouts surveys withdraw --site ID SURVEY
            whereabouts surveys withdraw --site ID --author ID
            whereabouts surveys reviews --site ID
            whereabouts surveys accept|reject --site ID SURVEY...

              reviews   list the surveys that wait for a decision: their readings don't fit their
                        place on the radio map, or the place is outside of its floor; and the
                        changes of the radio that three or more of them agree on
              accept    use these surveys; a change of the radio is accepted with all its surveys
              reject    never use them
              --author  only surveys that this token or account sent
              --after   list the surveys after this id

            Needs WHEREABOUTS_URL and WHEREABOUTS_TOKEN, the token of an administrator. A surveyor
            may list surveys, and withdraw their own one by one.
            """,
        run: { try await runSurveys($0) })

    private static func runSurveys(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--author", "--after"])
        guard let word = reader.positional.first else {
            throw UsageFault("surveys needs list, withdraw, reviews, accept or reject")
        }
        guard let site = reader.last("--site").flatMap(SiteID.init(validating:)) else {
            throw UsageFault("surveys needs --site ID")
        }
        let ids = try reader.positional.dropFirst().map { text in
            guard let id = EventID(text) else { throw UsageFault("\(text) is no survey's id") }
            return id
        }
        let services = try ServiceClient()
        defer { services.client.close() }
        let path = "/v1/sites/\(site)/surveys"
        let author = try reader.last("--author").map(checkedAuthor)
        func call(_ method: String, _ path: String, _ body: [UInt8] = []) async throws {
            let answer = try await services.call(method, "fingerprint-builder", path, body: body)
            invocation.output(
                answer.isEmpty ? #"{"done":true}"# : String(decoding: answer, as: UTF8.self))
        }
        switch (word, ids.count, author) {
        case ("list", 0, _):
            let after = try reader.last("--after").map(checkedAuthor)
            let query = [author.map { "author=\($0)" }, after.map { "after=\($0)" }]
            try await call(
                "GET", path + "?" + query.compactMap { $0 }.joined(separator: "&"))
        case ("withdraw", 1, nil): try await call("DELETE", "\(path)/\(ids[0])")
        case ("withdraw", 0, let author?): try await call("DELETE", "\(path)?author=\(author)")
        case ("reviews", 0, nil): try await call("GET", "/v1/sites/\(site)/survey-reviews")
        case ("accept", 1..., nil), ("reject", 1..., nil):
            try await call(
                "POST", "/v1/sites/\(site)/survey-reviews", decision(word, ids))
        default:
            throw UsageFault(
                "surveys needs list, withdraw, reviews, accept or reject, each with its own "
                    + "arguments")
        }
    }

    /// The id of a token or an account. Such ids need no escaping in an address; a text that would
    /// need it is no id.
    private static func checkedAuthor(_ text: String) throws(UsageFault) -> String {
        guard isWellFormedIdentifier(text) else { throw UsageFault("\(text) is no id") }
        return text
    }

    private static func decision(_ word: String, _ ids: [EventID]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("decision", word)
        writer.name("surveys")
        writer.beginArray()
        for id in ids { writer.string(id.description) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
