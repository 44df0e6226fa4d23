import HTTP
import ServiceHost
import ServiceRuntime

/// Serves the page with the latest positions in each room, and the pages of accounts. Their files
/// are part of the program.
struct PageRoutes: Sendable {
    /// Origins whose pages may show these pages in a frame.
    let embedding: String

    var all: [Route] {
        let policy = Self.policy(embedding: embedding)
        func route(_ path: String, _ type: String, _ bytes: [UInt8]) -> Route {
            let response = HTTPResponse(
                headers: [
                    ("content-type", type), ("cache-control", "no-cache"),
                    ("content-security-policy", policy),
                ], body: .bytes(bytes))
            return Route(.get, path, handler: .callback { $1.respond(response) })
        }
        return [
            route("/positions", "text/html; charset=utf-8", PackageResources.positions_html),
            route("/page.css", "text/css; charset=utf-8", PackageResources.page_css),
            route("/page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
            // The plain pages where people join and sign in. They call the API like any other
            // program.
            route("/sign-in", "text/html; charset=utf-8", PackageResources.sign_in_html),
            route("/join", "text/html; charset=utf-8", PackageResources.join_html),
            route("/account", "text/html; charset=utf-8", PackageResources.account_html),
            route("/people.js", "text/javascript; charset=utf-8", PackageResources.people_js),
        ]
    }

    /// The Content-Security-Policy of all pages. A page runs only files of this server, and calls
    /// only its own origin. Other pages may frame it where the operator allows.
    ///
    /// - Parameter scripts: sources of scripts that stand in the page itself.
    static func policy(embedding: String, scripts: [String] = []) -> String {
        let origins = OriginList.read(embedding)
        let ancestors = origins.isEmpty ? "'none'" : origins.joined(separator: " ")
        return "default-src 'none'; script-src \((["'self'"] + scripts).joined(separator: " ")); "
            + "style-src 'self'; "
            + "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
            + "manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; "
            + "form-action 'self'; frame-ancestors \(ancestors)"
    }
}
