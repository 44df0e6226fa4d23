import Events
import HTTPClient
import JSON
import Site
import Wire

extension ServiceClient {
    /// The site as it is published; nil where none is.
    func publishedSite(
        _ site: SiteID
    ) async throws -> (document: SiteDocument, version: Int)? {
        do {
            let answer = try await send("GET", "site-editor", "/v1/sites/\(site)")
            let tag = answer.headers["etag"]?.filter { $0 != "\"" }
            return (try SiteDocument(json: answer.body), tag.flatMap { Int($0) } ?? 0)
        } catch let refusal as Refusal where refusal.status == 404 {
            return nil
        }
    }

    /// - Parameter version: what is published now, 0 for nothing; refused if it no longer is.
    /// - Returns: the version that the document has.
    func publish(
        _ document: SiteDocument, as site: SiteID, replacing version: Int
    ) async throws -> Int {
        let answer = try await send(
            "PUT", "site-editor", "/v1/sites/\(site)", body: document.json,
            headers: [("if-match", "\"\(version)\"")])
        return try JSONParser.read(answer.body) { root in root.object?["version"]?.int ?? 0 }
    }

    /// A site's draft as its editors see it, which is what is published where nobody has edited.
    struct Draft: Sendable {
        var document: SiteDocument
        /// What a change has to name.
        var tag: String
    }

    /// Nil where there is no such site.
    func draft(_ site: SiteID) async throws -> Draft? {
        do {
            let answer = try await send("GET", "site-editor", "/v1/sites/\(site)?version=draft")
            return Draft(
                document: try SiteDocument(json: answer.body), tag: answer.headers["etag"] ?? "")
        } catch let refusal as Refusal where refusal.status == 404 {
            return nil
        }
    }

    /// Makes the document the draft, if nobody has changed it since it was read; the same document
    /// changes nothing.
    func edit(
        _ site: SiteID, _ draft: Draft, to document: SiteDocument
    ) async throws -> (draft: Draft, isChanged: Bool) {
        guard document != draft.document else { return (draft, false) }
        let answer = try await send(
            "PUT", "site-editor", "/v1/sites/\(site)?version=draft", body: document.json,
            headers: [("if-match", draft.tag)])
        return (Draft(document: document, tag: answer.headers["etag"] ?? ""), true)
    }

    /// Publishes the draft, to testers only where that is wished.
    ///
    /// - Returns: the version that everybody has now; nil for testers.
    func publishDraft(_ site: SiteID, tag: String, toTesters: Bool = false) async throws -> Int? {
        let audience = toTesters ? "test" : "everyone"
        let answer = try await send(
            "POST", "site-editor", "/v1/sites/\(site)/publish",
            body: Array(#"{"audience":"\#(audience)"}"#.utf8), headers: [("if-match", tag)])
        return try JSONParser.read(answer.body) { root in root.object?["version"]?.int }
    }
}
