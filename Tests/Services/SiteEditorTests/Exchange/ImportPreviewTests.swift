import Events
import Geometry
import HTTP
import JSON
import LogViews
import MapFormats
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import SiteExchange
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Previews of imports",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ImportPreviewTests {
    private static let site = SampleSite.id
    private static let path = "/v1/sites/\(SampleSite.id)/imports"
    private static let drawing = """
        0
        SECTION
        2
        ENTITIES
        0
        LWPOLYLINE
        8
        A-AREA
        70
        1
        10
        0
        20
        0
        10
        6000
        20
        0
        10
        6000
        20
        5000
        10
        0
        20
        5000
        0
        ENDSEC
        0
        EOF

        """

    private let bench: ServiceBench
    private let store: SiteStore
    private let app: Served
    private let token: String

    init() async throws {
        bench = try await ServiceBench()
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        store = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        let publishing = Publishing(sites: bench.sites, security: bench.security)
        app = try bench.serve(
            ExchangeRoutes(
                sites: bench.sites, clock: bench.clock, security: bench.security,
                publishing: publishing, store: store, imports: ImportStore(pool: pool)
            ).all)
        token = bench.issue(.administrator)
        let document = SampleSite.index.document
        _ = try await store.replace(
            Self.site, with: document, expectedVersion: nil, at: bench.clock.now)
        bench.publish(try SiteIndex(document))
    }

    private func send(_ query: String, _ body: String, match: String? = nil) async throws -> Answer
    {
        try await app.send(
            "POST", "\(Self.path)?\(query)", token: token,
            headers: match.map { ["if-match": $0] } ?? [:], body: body)
    }

    private func rooms() async throws -> [RoomRecord] {
        try await store.draft(of: Self.site)?.document.rooms ?? []
    }

    @Test("A drawing asks for its floor and unit, shows what it adds, and is applied afterwards")
    func drawing() async throws {
        let before = try await rooms()
        let asked = try await send("format=auto&preview=true", Self.drawing)
        #expect(asked.status == 200, "\(asked.text)")
        #expect(asked.text.contains(#""format":"dxf""#))
        #expect(asked.text.contains(#""needs":["floor","unit"]"#), "\(asked.text)")
        #expect(asked.text.contains(#""name":"A-AREA","shown":true,"outlines":1"#))
        let choices = "format=dxf&floor=first&unit=millimetres&offsetX=30"
        let shown = try await send("\(choices)&preview=true", Self.drawing)
        #expect(shown.text.contains(#""needs":[]"#), "\(shown.text)")
        #expect(shown.text.contains(#""records":{"room":{"added":1,"changed":0,"removed":0}}"#))
        #expect(shown.text.contains(#""state":"added","kind":"room""#))
        #expect(shown.text.contains(#""floors":["first"]"#))
        let across = try await send(
            "format=dxf&floor=first&unit=millimetres&offsetX=17&preview=true", Self.drawing)
        #expect(across.text.contains(#""findings":[{"#), "it lies across another room")
        #expect(try await rooms() == before)
        let tag = try #require(shown.headers["etag"])
        let done = try await send(choices, Self.drawing, match: tag)
        #expect(done.status == 200, "\(done.text)")
        let added = try await rooms().filter { room in !before.contains(room) }
        #expect(added.map(\.outline) == [[[30, 0], [36, 0], [36, 5], [30, 5]]])
        let late = try await send(choices, Self.drawing, match: tag)
        #expect(late.status == 412, "\(late.text)")
    }

    @Test("A list of rooms is compared with the one of the last time")
    func list() async throws {
        let first = "Nr,Name,Etage\nA,Library,G\nB,Office,G\n"
        #expect(try await send("format=auto", first).status == 200)
        #expect(try await rooms().map(\.name).prefix(2) == ["Library", "Office"])
        let second = "Nr,Name,Etage\nA,Library,G\nX,New,G\n"
        let shown = try await send("format=room-list&preview=true", second)
        #expect(shown.text.contains(#"{"id":"B","what":"vanished""#), "\(shown.text)")
        #expect(shown.text.contains(#"{"id":"X","what":"appeared""#))
        #expect(shown.text.contains(#""columns":{"number":"Nr","name":"Name","floor":"Etage"}"#))
        let done = try await send("format=room-list&removeVanished=true", second)
        #expect(done.status == 200, "\(done.text)")
        #expect(try await rooms().map(\.id.text).contains("B") == false)
    }

    @Test("A map that was exported, changed and imported changes what was changed")
    func openStreetMap() async throws {
        let draft = try #require(try await store.draft(of: Self.site)).document
        let write = try #require(MapFormat.named("osm")?.write)
        let text = String(decoding: try write(draft, nil, ""), as: UTF8.self)
            .replacing(#"k="name" v="Room A""#, with: #"k="name" v="Hall""#)
        let shown = try await send("format=auto&preview=true&prefer=file", text)
        #expect(shown.text.contains(#""own":true"#), "\(shown.text)")
        #expect(shown.text.contains(#""changeCount":1"#), "\(shown.text)")
        let done = try await send("format=osm&prefer=file", text)
        #expect(done.status == 200, "\(done.text)")
        var wanted = draft.rooms
        wanted[0].name = "Hall"
        #expect(try await rooms() == wanted)
    }

    @Test(
        "Bad files and choices are refused in plain words",
        arguments: [
            ("format=auto", "%PDF-1.7", 422, "upload it as a floor's plan"),
            ("format=dxf&floor=first&unit=miles", "0\nSECTION\n", 422, "Send unit as one of"),
            ("format=dxf&floor=first&offsetX=east", "x", 422, "offsetX as a number"),
            ("format=osm", "<osm version=\"0.6\"><node", 422, "the map "),
            ("format=osm", "<osm version=\"0.6\"></osm>", 422, "no path, room, door"),
            ("format=dxf&preview=maybe", "x", 400, "true or false"),
            ("format=word", "x", 400, "Send format as one of"),
        ])
    func refused(query: String, body: String, status: Int, reason: String) async throws {
        let answer = try await send(query, body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.text.contains(reason), "\(answer.text)")
    }
}
