import Foundation
import HTTP
import Repository
import SampleSites
import ServiceBench
import Testing
import Wire

@testable import SiteEditor

@Suite("Files of the apps") struct AppFilesTests {
    private static let web = repository.appending(path: "Services/site-editor/web")
    private static let folder = web.appending(path: "app")

    @Test("The lists have each file of the folders, with its bytes: run deploy/app-files.py")
    func list() throws {
        for (listed, folder, prefix) in [
            (AppFiles.all, Self.folder, ""), (AppFiles.staff, Self.web, "staff/"),
        ] {
            let inside = folder.appending(path: prefix)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: inside.path)
            let files = paths.filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(
                    atPath: inside.appending(path: path).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
            #expect(listed.map(\.name) == files.sorted().map { prefix + $0 })
            for (name, bytes) in listed {
                #expect(try [UInt8](Data(contentsOf: folder.appending(path: name))) == bytes)
            }
        }
    }

    @Test("Files are sent with empty lines in place of comments, and without indents")
    func shortened() throws {
        let text =
            "// a\nlet b = '// c'; // d\n/** e\n * f\n */\nrule {\n  a\n}\n/* g */\n/* h */ i\n"
        let sent = String(decoding: AppRoutes.shortened(Array(text.utf8)), as: UTF8.self)
        #expect(sent == "\nlet b = '// c'; // d\n\n\n\nrule {\na\n}\n\n/* h */ i\n")
        for (name, bytes) in AppFiles.all + AppFiles.staff where name.hasSuffix(".js") {
            let before = String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            let after = String(
                decoding: AppRoutes.shortened(bytes), as: UTF8.self
            ).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(before.count == after.count)
            for (own, other) in zip(before, after) {
                let bare = own.trimmingPrefix { $0 == " " }
                guard bare != other else { continue }
                #expect(other.isEmpty && bare.first.map("/*".contains) == true)
            }
        }
    }

    @Test("The app gets all words but those of the server's pages", arguments: ["en", "cy", "de"])
    func appWords(code: String) throws {
        let name = "languages/\(code).json"
        let bytes = try #require(AppFiles.all.first { $0.name == name }?.bytes)
        let sent = try JSONDecoder().decode(
            [String: String].self, from: Data(AppRoutes.withoutPageWords(bytes)))
        #expect(try sent == texts(code).filter { !$0.key.hasPrefix("page.") })
    }

    @Test("Each file of the folder, and of web, has a name of its own: SwiftPM forgets folders")
    func names() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.web.path)
        let names = paths.compactMap { $0.split(separator: "/").last }.filter { $0.contains(".") }
        #expect(Set(names).count == names.count)
    }

    @Test("Languages have the same keys and the same names to fill in; a file is sorted by lines")
    func languages() throws {
        let english = try texts("en")
        #expect(english.keys.contains("page.title"))
        for code in ["cy", "de"] {
            let other = try texts(code)
            #expect(Set(other.keys) == Set(english.keys), "\(code)")
            for (key, text) in english {
                #expect(holes(other[key] ?? "") == holes(text), "\(code): \(key)")
            }
        }
        for code in ["en", "cy", "de"] {
            let lines = try String(contentsOf: file(code), encoding: .utf8)
                .split(separator: "\n").dropFirst().dropLast()
            let keys = lines.map { $0.prefix { $0 != ":" } }
            #expect(keys == keys.sorted() && Set(keys).count == keys.count, "\(code)")
            #expect(keys.count == (try texts(code).count))
        }
    }

    private func file(_ code: String) -> URL {
        Self.folder.appending(path: "languages/\(code).json")
    }

    private func texts(_ code: String) throws -> [String: String] {
        try FlatTexts(json: [UInt8](Data(contentsOf: file(code)))).byKey
    }

    private func holes(_ text: String) -> Set<String> {
        Set(text.matches(of: /{([A-Za-z]+)}/).map { String($0.1) })
    }

    @Test("A page asks for all modules that its first one imports, but for those loaded later")
    func modules() {
        let files = [
            "main.js":
                "import { a } from './a.js';\nimport {\n  b,\n} from \"./b.js\";\nimport './c.js';",
            "a.js": "import x from './b.js';\nimport * as L from '/app/leaflet.js';",
            "b.js": "export { a } from './a.js';\nconst later = () => import('./d.js');",
            "c.js": "const text = 1;", "d.js": "import './e.js';",
        ].map { (name: $0.key, bytes: Array($0.value.utf8)) }
        let further = [
            ("staff/s.js", "import './t.js';\nimport a from '/app/a.js';"),
            ("staff/t.js", "import '/app/staff/u.js';"), ("staff/u.js", "import './a.js';"),
        ].map { (name: $0.0, bytes: Array($0.1.utf8)) }
        let graph = ModuleGraph(files + further)
        #expect(
            graph.modules(from: "main.js") == ["main.js", "a.js", "b.js", "c.js", "leaflet.js"])
        #expect(graph.modules(from: "none.js").isEmpty)
        #expect(
            graph.modules(from: "staff/s.js") == [
                "staff/s.js", "staff/t.js", "a.js", "staff/u.js", "b.js", "leaflet.js",
                "staff/a.js",
            ])
    }

    @Test("Visitors load no module of the staff; the staff's page asks for all of theirs at once")
    func staff() {
        let app = AppRoutes(policy: "")
        #expect(!(app.firstModules + app.followingModules).contains { $0.hasPrefix("staff/") })
        #expect(app.staffModules.first == "staff/staff-main.js")
        #expect(Set(app.staffModules).count == app.staffModules.count)
        let files = Set((AppFiles.all + AppFiles.staff).map(\.name))
        #expect(Set(app.staffModules).subtracting(files) == ["leaflet.js"])
        let own = files.filter { $0.hasPrefix("staff/") && $0.hasSuffix(".js") }
        // The page of the API is one of the staff's, with a module of its own to begin with.
        let used = app.staffModules + app.referenceModules
        #expect(own.subtracting(used).isEmpty, "modules that nothing imports")
        #expect(app.referenceModules.first == ReferenceRoutes.main)
    }

    @Test("The map and the panels follow once a search can be typed, each module once")
    func following() {
        let app = AppRoutes(policy: "")
        #expect(app.firstModules.contains("search-box.js"))
        #expect(Set(app.followingModules).isDisjoint(with: app.firstModules))
        #expect(app.followingModules.count == Set(app.followingModules).count)
        for name in ["starting-map.js", "leaflet.js", "later.js", "route-panel.js"] {
            #expect(app.followingModules.contains(name), "\(name)")
        }
    }

    @Test("Files come with their type, are kept with a tag, and are packed for who accepts it")
    func served() async throws {
        let leaflet = FileManager.default.temporaryDirectory.appending(
            path: "leaflet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: leaflet, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: leaflet) }
        let script = String(repeating: "export const L = 1;\n", count: 200)
        try Data(script.utf8).write(to: leaflet.appending(path: "leaflet.esm.min.js"))
        let bench = try await ServiceBench()
        let routes = AppRoutes(policy: "default-src 'none'", leaflet: leaflet.path)
        #expect(routes.fault?.contains("leaflet.css") == true)
        #expect(routes.fault?.contains("leaflet.esm.min.js") == false)
        let app = try bench.serve(routes.all)
        for (path, type) in [
            ("served.css", "text/css; charset=utf-8"),
            ("languages/cy.json", "application/json"),
            ("staff/staff.css", "text/css; charset=utf-8"),
            ("staff/staff-main.js", "text/javascript; charset=utf-8"),
            ("staff/languages/staff-de.json", "application/json"),
            ("leaflet.js", "text/javascript; charset=utf-8"),
        ] {
            let plain = try await app.send("GET", "/app/\(path)")
            #expect(plain.status == 200 && plain.headers["content-type"] == type, "\(path)")
            #expect(plain.headers["cache-control"] == "public, no-cache")
            #expect(plain.headers["content-security-policy"] == nil)
            let packed = try await app.send(
                "GET", "/app/\(path)", headers: ["accept-encoding": "gzip"])
            #expect(packed.headers["content-encoding"] == "gzip", "\(path)")
            #expect(packed.body.count < plain.body.count)
            let tag = try #require(packed.headers["etag"])
            let again = try await app.send(
                "GET", "/app/\(path)", headers: ["accept-encoding": "gzip", "if-none-match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
        }
        for (query, start) in [
            ("", "/"), ("?site=museum", "/s/museum"), ("?site=a%22b", "/"), ("?site=", "/"),
        ] {
            let manifest = try await app.send("GET", "/app/manifest.webmanifest\(query)")
            #expect(manifest["start_url"] == start && manifest["id"] == start)
            #expect(manifest.headers["content-type"] == "application/manifest+json")
            let tag = try #require(manifest.headers["etag"])
            let again = try await app.send(
                "GET", "/app/manifest.webmanifest\(query)", headers: ["if-none-match": tag])
            #expect(again.status == 304)
        }
        let worker = try await app.send("GET", "/app/preparing-worker.js")
        #expect(worker.headers["content-security-policy"] == "default-src 'none'")
        for path in [
            "none.js", "leaflet.css", "..", "languages/none.json", "staff/main.js", "staff-main.js",
        ] {
            #expect(try await app.send("GET", "/app/\(path)").status == 404, "\(path)")
        }
    }
}
