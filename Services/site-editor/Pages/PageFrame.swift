import Cryptography
import Foundation
import HTTP

/// The head that all pages of an app have, and the answer around a page.
struct PageFrame: Sendable {
    let policy: String
    /// The module with which the app begins.
    var main = AppRoutes.main
    var styles = ["app.css", "served.css"]
    /// Whether the app can be installed on a home screen.
    var isInstallable = true
    /// The modules that the app needs until a search can be typed: the browser asks at once.
    let modules: [String]
    /// The modules that the app asks for itself, after that.
    let following: [String]

    /// The app's sign, and what makes it an app that can be installed.
    private func links(site: String?) -> [HTML] {
        // An app on the home screen opens the site from whose page it was installed.
        let query = site.map { "?site=\($0)" } ?? ""
        let links = [
            ("icon", "icon.svg"), ("apple-touch-icon", "icon-192.png"),
            ("manifest", AppRoutes.manifest + query),
        ]
        return links.prefix(isInstallable ? 3 : 2).map {
            .element("link", ["rel": $0, "href": "/app/\($1)"])
        }
    }

    /// Starts the app. It stands in the page, so that no change of network can lose it.
    private static let start = String(
        decoding: AppRoutes.shortened(PackageResources.start_js), as: UTF8.self)

    /// The source of scripts that permits `start` in the Content-Security-Policy (CSP 3, 2.3.1).
    static let startSource =
        "'sha256-\(Data(sha256(start.utf8)).base64EncodedString())'"

    /// - Parameters:
    ///   - site: nil on the page that lists the sites.
    ///   - kinds: the kinds of place of which the app may find the nearest.
    ///   - languages: the addresses of the page in each language, for search engines.
    func answer(
        _ words: PageWords, title: String, site: String?, status: Int = 200,
        kinds: [String]? = nil, languages: [(code: String, address: String)] = [], body: [HTML]
    ) -> HTTPResponse {
        var head: [HTML] = [
            .element("meta", ["charset": "utf-8"]),
            .element(
                "meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .element("title", [:], .text(title)),
        ]
        head += styles.map { .element("link", ["rel": "stylesheet", "href": "/app/\($0)"]) }
        head += links(site: site)
        head += modules.map { .element("link", ["rel": "modulepreload", "href": "/app/\($0)"]) }
        head += languages.map {
            .element("link", ["rel": "alternate", "hreflang": $0.code, "href": $0.address])
        }
        head.append(.script(Self.start, main: "/app/\(main)"))
        let main = HTML.element(
            "main", ["id": "page"], .element("div", [("class", "served")], body))
        var attributes: HTML.Attributes = []
        if let site {
            attributes.append(("data-site", site))
            let names = following.map { $0.hasSuffix(".js") ? String($0.dropLast(3)) : $0 }
            attributes.append(("data-following", names.joined(separator: " ")))
        }
        if let kinds { attributes.append(("data-kinds", kinds.joined(separator: " "))) }
        let page = HTML.document(
            language: words.code, head: head,
            body: .element("body", attributes, [main]))
        return HTTPResponse(
            status: status,
            headers: [
                ("content-type", "text/html; charset=utf-8"),
                ("cache-control", "private, no-cache"),
                ("content-security-policy", policy), ("vary", "accept-language, cookie"),
            ], body: .bytes(page))
    }
}
