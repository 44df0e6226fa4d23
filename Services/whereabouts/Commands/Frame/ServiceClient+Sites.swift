import Events
import HTTPClient
import JSON
import Site
import Wire

extension ServiceClient {
    /// The published site; nil where no site of this id is published.
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

    /// The number of the published version, read without the document. It is nil where none is
    /// published, and where the server does not tell it at the first attempt.
    func publishedVersion(_ site: SiteID) async -> Int? {
        let answer = try? await send(
            "GET", "site-editor", "/v1/sites/\(site)", patience: .zero)
        return (answer?.headers["etag"]?.filter { $0 != "\"" }).flatMap { Int($0) }
    }

    /// Publishes the document as the site's next version.
    ///
    /// - Parameter version: the version that is published now, 0 if there is none. The server
    ///   refuses the document when another version has been published since.
    /// - Returns: the number of the new version.
    func publish(
        _ document: SiteDocument, as site: SiteID, replacing version: Int
    ) async throws -> Int {
        let answer = try await send(
            "PUT", "site-editor", "/v1/sites/\(site)", body: document.json,
            headers: [("if-match", "\"\(version)\"")])
        return try JSONParser.read(answer.body) { root in root.object?["version"]?.int ?? 0 }
    }

    /// A site's draft as its editors see it; without any edits it equals the published version.
    struct Draft: Sendable {
        var document: SiteDocument
        /// The draft's ETag, which each change of the draft sends as If-Match.
        var tag: String
    }

    /// The site's draft; nil where there is no such site.
    func draft(_ site: SiteID) async throws -> Draft? {
        do {
            let answer = try await send("GET", "site-editor", "/v1/sites/\(site)?version=draft")
            return Draft(
                document: try SiteDocument(json: answer.body), tag: answer.headers["etag"] ?? "")
        } catch let refusal as Refusal where refusal.status == 404 {
            return nil
        }
    }

    /// Makes the document the site's draft. The server refuses it if somebody has changed the
    /// draft since it was read. A document that equals the draft changes nothing.
    ///
    /// - Parameter isMeasured: whether a grid of heights gave the document its rises.
    func edit(
        _ site: SiteID, _ draft: Draft, to document: SiteDocument, isMeasured: Bool = false
    ) async throws -> (draft: Draft, isChanged: Bool) {
        guard document != draft.document else { return (draft, false) }
        let answer = try await send(
            "PUT", "site-editor",
            "/v1/sites/\(site)?version=draft\(isMeasured ? "&measured=true" : "")",
            body: document.json, headers: [("if-match", draft.tag)])
        return (Draft(document: document, tag: answer.headers["etag"] ?? ""), true)
    }

    /// Publishes the draft to everyone.
    ///
    /// - Returns: the number of the new version.
    func publishDraft(_ site: SiteID, tag: String) async throws -> Int {
        let answer = try await publishDraft(site, tag: tag, to: "everyone")
        return try JSONParser.read(answer) { root in root.object?["version"]?.int ?? 0 }
    }

    /// Publishes the draft to testers only.
    ///
    /// - Returns: the site that shows the draft to testers, and its version.
    func showDraftToTesters(
        _ site: SiteID, tag: String
    ) async throws -> (site: String, version: Int) {
        let answer = try await publishDraft(site, tag: tag, to: "test")
        return try JSONParser.read(answer) { root in
            let shown = root.object
            return (shown?["testersSite"]?.string ?? "", shown?["testersVersion"]?.int ?? 0)
        }
    }

    private func publishDraft(
        _ site: SiteID, tag: String, to audience: String
    ) async throws -> [UInt8] {
        try await send(
            "POST", "site-editor", "/v1/sites/\(site)/publish",
            body: Array(#"{"audience":"\#(audience)"}"#.utf8), headers: [("if-match", tag)]
        ).body
    }
}
