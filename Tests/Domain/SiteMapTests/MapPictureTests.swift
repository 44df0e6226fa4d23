import Events
import Foundation
import FoundationXML
import Geometry
import Site
import Testing
import Wire

@testable import SiteMap

@Suite("Drawings of maps") struct MapPictureTests {
    static func ground(
        _ change: (inout SiteDocument) -> Void = { _ in }
    ) throws -> SiteMap {
        try #require(SiteMap(of: try SmallHouse.site(change), floor: FloorID("g")))
    }

    static func isWellFormed(_ svg: String) -> Bool { XMLParser(data: Data(svg.utf8)).parse() }

    @Test("A drawing is well-formed and has the names of its features")
    func names() throws {
        let svg = try Self.ground().svg()
        #expect(Self.isWellFormed(svg))
        for text in ["House", "Ground floor", "Exhibition (S)6.01", "Meeting point", "Lift A"] {
            #expect(svg.contains(">\(text)<"), "\(text)")
        }
        #expect(svg.contains("High &lt;Street&gt;"))
        #expect(!svg.contains("<Street>"))
    }

    @Test("Names and words are in the reader's language")
    func languages() throws {
        let welsh = try Self.ground().svg(MapPage(language: "cy"))
        for text in ["Tŷ", "Arddangosfa (S)6.01", "Grisiau", "Mynedfa heb risiau", "Toiledau"] {
            #expect(welsh.contains(">\(text)<"), "\(text)")
        }
        #expect(try Self.ground().svg(MapPage(language: "de-AT")).contains(">Treppe<"))
        #expect(try Self.ground().svg(MapPage(language: "fr")).contains(">Stairs<"))
    }

    @Test("The key has the signs that are on the map and no others")
    func key() throws {
        let svg = try Self.ground().svg()
        for text in [
            "Step-free entrance", "Automatic door", "Lift", "Stairs", "Toilets", "No public access",
        ] {
            #expect(svg.contains(">\(text)<"), "\(text)")
        }
        for text in ["Escalator", "Ramp", "Your way", "Platform lift"] {
            #expect(!svg.contains(">\(text)<"), "\(text)")
        }
        let route = MapPage(route: [Point(x: 1, y: 1), Point(x: 9, y: 2)])
        #expect(try Self.ground().svg(route).contains(">Your way<"))
    }

    @Test("A single point is marked, and is no way")
    func mark() throws {
        let map = try Self.ground()
        let marked = map.svg(MapPage(route: [Point(x: 1, y: 1)]))
        #expect(!marked.contains(">Your way<"))
        func count(_ text: String, in svg: String) -> Int {
            svg.components(separatedBy: text).count
        }
        #expect(count("r=\"20\"", in: marked) > count("r=\"20\"", in: map.svg()))
        let line = "stroke-width=\"5.5\""
        #expect(count(line, in: marked) == count(line, in: map.svg()))
    }

    @Test("A part of a map is another drawing")
    func part() throws {
        let part = try #require(BoundingBox([Point(x: 1, y: 1), Point(x: 3, y: 3)]))
        let svg = try Self.ground().svg(MapPage(part: part))
        #expect(Self.isWellFormed(svg))
        #expect(try svg != Self.ground().svg())
    }

    @Test("A poster has the place's texts, the map around it, and each dark module of its code")
    func poster() throws {
        let code = [[true, false, true], [false, false, false], [true, true, true]]
        let poster = Poster(
            heading: "You are here", name: "A <b> & c", floor: "Level 1",
            request: "Scan the code", address: "https://map.example/s/x?at=y", code: code,
            point: Point(x: 2, y: 2), language: nil)
        let svg = poster.svg(try Self.ground())
        #expect(Self.isWellFormed(svg))
        #expect(svg.contains(">A &lt;b&gt; &amp; c<") && svg.contains(">You are here<"))
        // Neighbours of a row are one rectangle.
        #expect(svg.components(separatedBy: "fill=\"#000000\"").count - 1 == 3)
    }

    @Test("A lift's name is below its sign, or beside it if stairs are below")
    func captions() throws {
        /// The distance of the lift's name from the lift, to the right and downwards.
        func place(stairsAt y: Double) throws -> (right: Double, down: Double) {
            let map = try Self.ground { document in
                for index in document.connections.indices
                where document.connections[index].kind == .stairs {
                    document.connections[index].stops = [
                        SmallHouse.stop("1", 16, y), SmallHouse.stop("g", 20, y),
                    ]
                }
            }
            let bounds = try #require(map.bounds())
            let lift = MapPicture(map, MapPage(), bounds).scale.place(Point(x: 18, y: 2))
            let name = try #require(
                map.svg().firstMatch(of: /<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>Lift A</))
            return (
                try #require(Double(name.1)) - lift.x, try #require(Double(name.2)) - lift.y
            )
        }
        let under = try place(stairsAt: 9)
        #expect(abs(under.right) < 1 && under.down > 10)
        let beside = try place(stairsAt: 1.2)
        #expect(abs(beside.right) > 10 && abs(beside.down) < 20)
    }

    @Test("A map has its credits, and none if there are none")
    func attribution() throws {
        let map = try Self.ground { $0.attribution = "© OpenStreetMap contributors" }
        #expect(map.svg().contains(">© OpenStreetMap contributors<"))
        let json = String(decoding: map.geoJSON(), as: UTF8.self)
        #expect(json.contains("\"attribution\":\"© OpenStreetMap contributors\""))
        #expect(try !Self.ground().svg().contains("©"))
        #expect(
            try !String(decoding: Self.ground().geoJSON(), as: UTF8.self).contains("attribution"))
        let outdoors = SiteMap(
            outdoorsOf: try SmallHouse.site { $0.attribution = "© <A> & B" })
        #expect(outdoors.svg().contains(">© &lt;A&gt; &amp; B<"))
    }

    @Test("Hostile names are written as text")
    func hostile() throws {
        let svg = try Self.ground { document in
            document.rooms[1].name = "\"/><script>alert(1)</script> ]]> &amp; '"
            document.rooms[1].kind = "\"><script>"
            document.buildings[0].name = String(repeating: "<é>", count: 100)
        }.svg()
        #expect(Self.isWellFormed(svg))
        #expect(!svg.contains("<script"))
    }

    @Test("The page of a floor without records, or with impossible shapes, is empty")
    func degenerate() throws {
        let site = try SmallHouse.site { document in
            document.rooms = []
            document.connections = []
            document.locations = []
            document.zones = []
            document.buildings[0].outline = []
        }
        #expect(Self.isWellFormed(try #require(SiteMap(of: site, floor: FloorID("g"))).svg()))
        let line = try Self.ground { document in
            document.rooms = [
                RoomRecord(
                    id: RoomID("thin"), floor: FloorID("g"), name: "Thin", kind: "room",
                    outline: [[0, 0], [9_000, 0], [9_000, 0.01]])
            ]
            document.connections = []
        }
        #expect(Self.isWellFormed(line.svg()))
    }

    @Test(
        "Widths are bounded in layout, so that letters stay readable",
        arguments: [200, 1_600, 3_200])
    func widths(width: Int) throws {
        let svg = try Self.ground().svg(MapPage(widthPixels: width))
        let layout = min(max(width, 600), 1_600)
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(layout)\""))
    }

    @Test(
        "The scale bar has a round length that fits",
        arguments: [(0.5, 1_600.0, 500.0), (20, 1_600, 10), (100, 1_600, 2), (3, 600, 20)])
    func scaleBar(pixelsPerMetre: Double, width: Double, metres: Double) {
        #expect(
            MapFurniture.barMetres(pixelsPerMetre: pixelsPerMetre, width: width) == metres)
    }

    @Test("Lines are broken as evenly as words allow")
    func lines() {
        #expect(brokenIntoLines("Museum of Natural History", count: 1)?.count == 1)
        #expect(
            brokenIntoLines("Museum of Natural History", count: 2)
                == ["Museum of", "Natural History"])
        #expect(brokenIntoLines("One Two", count: 3) == nil)
    }

    @Test("Kinds are recognised by the words of OpenStreetMap and of IMDF")
    func kinds() {
        #expect(AreaKind(category: "restroom.female", isRestricted: false) == .toilet)
        #expect(AreaKind(category: "elevator", isRestricted: false) == .lift)
        #expect(AreaKind(category: "room", isRestricted: true) == .closed)
        #expect(AreaKind(category: "laboratory", isRestricted: false) == .room)
        #expect(AreaKind(category: "", isRestricted: false) == .room)
    }
}
