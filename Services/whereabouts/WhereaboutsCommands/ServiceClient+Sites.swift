import Events
import HTTPClient
import JSON
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
}
