import Cryptography
import HTTP
import ServiceHost

/// `/reference`: the description of the API as a page, and the description itself. Both come from
/// this server alone, so they are there without the internet.
struct ReferenceRoutes: Sendable {
    /// The module with which the page begins.
    static let main = "staff/watch-reference.js"

    private let frame: PageFrame
    private let document: FileAnswer

    /// - Parameter modules: the modules of the page.
    init(modules: [String], coding: GzipCoding = .standard) {
        let policy = PageRoutes.policy(embedding: "", scripts: [PageFrame.startSource])
        frame = PageFrame(
            policy: policy, main: Self.main,
            styles: ["app.css", "served.css", "staff/staff.css", "staff/staff-watch.css"],
            isInstallable: false, modules: modules, following: [])
        // `docs/openapi.json`, by a link: there is no second copy.
        let bytes = PackageResources.openapi_json
        document = FileAnswer(
            bytes,
            headers: [
                ("content-type", "application/json"), ("cache-control", "public, no-cache"),
                ("content-security-policy", policy),
            ], tag: String(sha256Hex(bytes).prefix(32)), coding: coding)
    }

    var all: [Route] {
        [
            Route(.get, "/reference", handler: .callback { $1.respond(page($0)) }),
            Route(
                .get, "/reference/openapi.json",
                handler: .callback { $1.respond(document.answer(to: $0)) }),
        ]
    }

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        let words = PageWords.words(for: request)
        let title = words("page.reference")
        return frame.answer(
            words, title: title, site: nil,
            body: [
                .element("h1", [:], .text(title)),
                .element("p", [:], .text(words("page.reference.script"))),
                .element(
                    "p", [:],
                    .element(
                        "a", ["href": "/reference/openapi.json"],
                        .text(words("page.reference.document")))),
            ])
    }
}
