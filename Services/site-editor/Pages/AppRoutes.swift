import Cryptography
import Foundation
import HTTP
import ServiceHost
import Wire

/// `/app/…`: the files of the visitor's app, those of the staff's app below `/app/staff/`, and
/// Leaflet from Debian's libjs-leaflet.
///
/// Names of files stay the same from version to version. So browsers ask each time, and get 304
/// without a body unless the file has changed. After an upgrade no old module meets a new one.
struct AppRoutes: Sendable {
    private let files: [String: FileAnswer]
    /// The modules that a page needs until a search can be typed.
    let firstModules: [String]
    /// The modules of the map and of the panels, which follow.
    let followingModules: [String]
    /// The modules of the staff's app, with those of the visitor's app that it uses.
    let staffModules: [String]
    /// The modules of the page of the API.
    let referenceModules: [String]
    /// A sentence for the operator; nil when all files are there.
    let fault: String?
    private let policy: String
    static let manifest = "manifest.webmanifest"
    /// The module with which each app begins.
    static let main = "main.js"
    static let staffMain = "staff/staff-main.js"

    /// - Parameters:
    ///   - policy: the Content-Security-Policy of all pages.
    ///   - leaflet: the folder of Debian's files.
    init(policy: String, leaflet: String = Self.leaflet, coding: GzipCoding = .standard) {
        self.policy = policy
        var files: [String: FileAnswer] = [:]
        func add(_ name: String, _ bytes: [UInt8]) {
            guard let type = Self.type(of: name) else { return }
            var headers = [
                (name: "content-type", value: type), ("cache-control", "public, no-cache"),
            ]
            // Browsers ask it of documents and workers alone. Each of sixty modules would be 250
            // bytes longer.
            if name.hasSuffix("-worker.js") || name.hasSuffix(".svg") {
                headers.append(("content-security-policy", policy))
            }
            // A worker serves the pages of all sites while there is no network.
            if name.hasSuffix("-worker.js") { headers.append(("service-worker-allowed", "/")) }
            files[name] = FileAnswer(
                bytes, headers: headers, tag: String(sha256Hex(bytes).prefix(32)), coding: coding)
        }
        for (name, bytes) in AppFiles.all + AppFiles.staff {
            if name.hasPrefix("languages/") {
                add(name, Self.withoutPageWords(bytes))
            } else {
                let isProgram = name.hasSuffix(".js") || name.hasSuffix(".css")
                add(name, isProgram ? Self.shortened(bytes) : bytes)
            }
        }
        var missing: [String] = []
        for (name, file) in [
            ("leaflet.js", "leaflet.esm.min.js"), ("leaflet.css", "leaflet.css"),
        ] {
            if let data = FileManager.default.contents(atPath: "\(leaflet)/\(file)") {
                add(name, [UInt8](data))
            } else {
                missing.append("\(leaflet)/\(file)")
            }
        }
        self.files = files
        let graph = ModuleGraph(AppFiles.all + AppFiles.staff)
        let first = graph.modules(from: Self.main)
        var following: [String] = []
        for name in graph.modules(from: "starting-map.js") + graph.modules(from: "later.js")
        where !first.contains(name) && !following.contains(name) { following.append(name) }
        firstModules = first
        followingModules = following
        staffModules = graph.modules(from: Self.staffMain)
        referenceModules = graph.modules(from: ReferenceRoutes.main)
        fault =
            missing.isEmpty
            ? nil
            : "The map of the visitor's app needs \(missing.joined(separator: " and ")): "
                + "install Debian's package libjs-leaflet, and start again."
    }

    static let leaflet = "/usr/share/javascript/leaflet"

    var all: [Route] {
        [
            Route(.get, "/app/{file}", handler: .callback { answer($0, folder: "", $1) }),
            Route(
                .get, "/app/languages/{file}",
                handler: .callback { answer($0, folder: "languages/", $1) }),
            Route(
                .get, "/app/staff/{file}", handler: .callback { answer($0, folder: "staff/", $1) }),
            Route(
                .get, "/app/staff/languages/{file}",
                handler: .callback { answer($0, folder: "staff/languages/", $1) }),
        ]
    }

    private func answer(
        _ request: HTTPRequest, folder: String, _ responder: any HTTPResponder
    ) {
        let name = folder + (request.parameters["file"] ?? "")
        if name == Self.manifest, let site = request.firstQuery("site"),
            let manifest = manifest(of: site)
        {
            return responder.respond(manifest.revalidated(for: request))
        }
        guard let file = files[name] else {
            return responder.respond(Problem(.thingUnknown, "The app has no such file."))
        }
        responder.respond(file.answer(to: request))
    }

    /// The manifest with which a site's page is installed as an app of its own; nil for a text that
    /// is no site's id.
    private func manifest(of site: String) -> HTTPResponse? {
        let isID =
            (1...64).contains(site.utf8.count)
            && site.utf8.allSatisfy { byte in
                let letter = Character(Unicode.Scalar(byte))
                return letter.isASCII
                    && (letter.isLetter || letter.isNumber || "._-".contains(letter))
            }
        guard isID, let file = AppFiles.all.first(where: { $0.name == Self.manifest }) else {
            return nil
        }
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing(#""id": "/""#, with: #""id": "/s/\#(site)""#)
            .replacing(#""start_url": "/""#, with: #""start_url": "/s/\#(site)""#)
        let bytes = [UInt8](text.utf8)
        return HTTPResponse(
            headers: [
                ("content-type", "application/manifest+json"),
                ("cache-control", "public, no-cache"), ("content-security-policy", policy),
                ("etag", "\"\(sha256Hex(bytes).prefix(32))\""),
            ], body: .bytes(bytes))
    }

    /// The language without the words of the server's pages, which are an eighth of it. A key has
    /// its line for itself, and the last is not of a page.
    static func withoutPageWords(_ bytes: [UInt8]) -> [UInt8] {
        let page = Array(#"  "page."#.utf8)
        return Array(
            bytes.split(separator: 10).filter { !$0.starts(with: page) }.joined(separator: [10]))
    }

    /// The file with empty lines in place of comments, and without indents: those are a sixth of
    /// what is transferred. A comment has its lines for itself, and no text of the app goes over
    /// several lines.
    static func shortened(_ bytes: [UInt8]) -> [UInt8] {
        var isInside = false
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map { line in
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            if isInside {
                isInside = !text.hasSuffix("*/")
                return [UInt8]()
            }
            if text.hasPrefix("//") { return [] }
            guard text.hasPrefix("/*"), text.hasSuffix("*/") || !text.contains("*/") else {
                return Array(line.drop { $0 == 32 })
            }
            isInside = !text.hasSuffix("*/")
            return []
        }
        return Array(lines.joined(separator: [10]))
    }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        default: nil
        }
    }
}
