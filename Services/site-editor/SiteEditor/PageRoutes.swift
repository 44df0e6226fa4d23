import HTTP

/// The web page: latest positions per room. Its files are part of the program.
enum PageRoutes {
    static let all: [Route] = [
        route("/", "text/html; charset=utf-8", PackageResources.index_html),
        route("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
        route("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    ]

    private static func route(_ path: String, _ type: String, _ bytes: [UInt8]) -> Route {
        let response = HTTPResponse(
            headers: [
                ("content-type", type), ("cache-control", "no-cache"),
                // The page runs its own script and style only, and talks to its own origin.
                (
                    "content-security-policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
                ),
                ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
            ], body: .bytes(bytes))
        return Route(.get, path, handler: .callback { $1.respond(response) })
    }
}
