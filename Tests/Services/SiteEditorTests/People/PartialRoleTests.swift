import Access
import Events
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Goes over the access table. Each path of site-editor that lets in a role of some buildings shows
/// the site, or is called here by such an administrator.
@Suite(
    "Roles in some buildings",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PartialRoleTests {
    private static let here = "/v1/sites/{site}"

    /// Paths that show the site as its readers see it; a role in some buildings counts there.
    private static let shown: [String] =
        [
            "/v1/sites", here, "\(here)/search", "\(here)/map", "\(here)/map/overview",
            "\(here)/map/parts/{zoom}/{x}/{y}", "\(here)/floors/{floor}/map",
            "\(here)/floors/{floor}/map/part", "\(here)/current-building",
            "\(here)/locations/{id}/poster.svg", "\(here)/locations/{id}/poster.pdf",
            "\(here)/rooms/{id}/poster.svg", "\(here)/rooms/{id}/poster.pdf",
            "\(here)/floors/{floor}/posters.pdf", "\(here)/versions",
            "\(here)/versions/{version}", "/v1/media/{hash}", "/v1/outages",
        ].map { "GET \($0)" }

    private static let records: [String] = RecordKind.all.flatMap { type -> [String] in
        let list = "GET \(here)/\(type.kind.path)"
        return [list, "\(list)/{id}"]
    }

    /// Paths about the caller's own session, code or report. The tests of shared positions, of
    /// pairings and of barriers try them.
    private static let own: [String] = [
        "GET \(here)/shared-position", "POST \(here)/shared-position",
        "PUT \(here)/shared-position", "DELETE \(here)/shared-position",
        "GET \(here)/shared-positions/{secret}", "POST \(here)/pairings",
        "GET \(here)/barriers", "POST \(here)/barriers",
        "POST \(here)/barriers/{id}/deny",
    ]

    /// Calls about things of others, with their bodies. `{id}` stands for a new one.
    private static let others: [(operation: String, body: String)] = [
        ("GET \(here)/devices", ""), ("POST \(here)/devices", #"{"name": "Tag"}"#),
        ("GET \(here)/devices/{id}", ""),
        ("PATCH \(here)/devices/{id}", #"{"name": "Other"}"#),
        ("GET \(here)/devices/{id}/report", ""), ("POST \(here)/devices/{id}/pairing-code", ""),
        ("DELETE \(here)/devices/{id}", ""), ("GET \(here)/pairings", ""),
        ("DELETE \(here)/pairings/{id}", ""), ("GET \(here)/scan-requests", ""),
        ("POST \(here)/scan-requests", #"{"scanner": "far"}"#),
        ("GET \(here)/scan-requests/{id}", ""),
        ("PATCH \(here)/scan-requests/{id}", #"{"scanSwitch": false}"#),
        ("DELETE \(here)/scan-requests/{id}", ""),
    ]

    @Test("Each path that lets them in is known here")
    func table() {
        let open = AccessTable.rows.filter {
            $0.owner == .siteEditor && $0.scope == .building
                && $0.roles.contains(.administratorOfSite)
        }.map { "\($0.operation.method) \($0.operation.pattern)" }
        let known = Self.shown + Self.records + Self.own + Self.others.map(\.operation)
        #expect(open.sorted() == known.sorted())
    }

    @Test("An administrator of one building does no more with the things of others than a visitor")
    func others() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        _ = try await editor.scanner("far", buildings: [BuildingID("elsewhere")])
        let partial = editor.bench.issue(
            .administratorOfSite, site: EditorBench.site, buildings: [BuildingID("house")])
        for (operation, body) in Self.others {
            let parts = operation.split(separator: " ").map(String.init)
            let path = parts[1].replacing("{site}", with: EditorBench.site.text)
                .replacing("{id}", with: try await thing(of: operation, editor, token))
            let tried = try await editor.send(parts[0], path, as: partial, body)
            let visitor = try await editor.send(parts[0], path, as: editor.visitor, body)
            #expect(
                tried.status == visitor.status && tried.code == visitor.code,
                "\(operation): \(tried.text)")
            let whole = try await editor.send(parts[0], path, as: editor.administrator, body)
            #expect((200..<300).contains(whole.status), "\(operation): \(whole.text)")
            if visitor.status < 300 {
                #expect(tried.text == visitor.text && whole.text != tried.text, "\(operation)")
            }
        }
    }

    /// The id of a new device, pairing or request of others.
    private func thing(
        of operation: String, _ editor: EditorBench, _ token: String
    ) async throws -> String {
        if operation.contains("/devices") {
            return try await editor.devices.enrol(
                DeviceSubmission(json: Array(#"{"name": "Tag"}"#.utf8)), site: EditorBench.site,
                owner: nil, limit: nil, at: editor.bench.clock.now
            ).id.text
        }
        if operation.contains("/pairings") {
            let code = try await editor.shownCode("pi-1", token)
            let made = try await editor.pair(code, as: editor.stranger())
            return try #require(made["id"], "\(made.text)")
        }
        let asked = try await editor.ask(#"{"scanner": "pi-1"}"#)
        return try #require(asked["id"], "\(asked.text)")
    }
}
