import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of drawings") struct DrawingImportTests {
    private func refusal(_ drawing: HandMadeDrawing, _ options: DrawingOptions) -> String {
        do {
            _ = try drawing.imported(options)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("Closed outlines become rooms, and texts within become their names")
    func outlines() throws {
        var drawing = HandMadeDrawing()
        drawing.outline([(0, 0), (4, 0), (4, 3), (0, 3)])
        drawing.outline([(4, 0), (9, 0), (9, 3), (4, 3), (4, 0)], isClosed: false)
        drawing.text("1.02", 1, 2)
        drawing.text("Office", 1, 1)
        drawing.text("12.0 m²", 1, 0.5)
        drawing.text("WC", 6, 1)
        drawing.text("North", 20, 20)
        let imported = try drawing.imported()
        #expect(imported.document.rooms.map(\.name) == ["1.02 Office", "WC"])
        #expect(imported.document.rooms.map(\.kind) == ["room", "toilet"])
        #expect(imported.document.rooms.map(\.id.text) == ["ground-1.02-office", "ground-wc"])
        let box: Ring = [[0, 0], [4, 0], [4, 3], [0, 3]]
        #expect(imported.document.rooms[0].outline == box)
        #expect(imported.report.counts["textsOutside"] == 1)
    }

    @Test(
        "The unit of the file counts, or the one that somebody chose",
        arguments: [(1, 0.0254), (2, 0.3048), (4, 0.001), (5, 0.01), (6, 1), (21, 0.3048)])
    func units(code: Int, metres: Double) throws {
        var drawing = HandMadeDrawing(unit: code)
        let side = 5 / metres
        drawing.outline([(0, 0), (side, 0), (side, side), (0, side)])
        let room = try #require(try drawing.rooms().first)
        #expect(abs((room.outline.polygon?.area ?? 0) - 25) < 0.01)
    }

    @Test(
        "Without a unit, a floor or a layer the reason is plain", arguments: [nil, 0, 3] as [Int?])
    func missing(code: Int?) throws {
        var drawing = HandMadeDrawing(unit: code)
        drawing.outline([(0, 0), (500, 0), (500, 500), (0, 500)])
        let floor = HandMadeDrawing.floor
        #expect(refusal(drawing, .init(floor: floor)).contains("does not state its unit"))
        let facts = FileFacts(try DrawingFile(drawing.bytes), .init())
        #expect(facts.needs == [.floor, .unit])
        #expect(refusal(drawing, .init(unit: .inches)).contains("give the floor"))
        #expect(
            refusal(drawing, .init(floor: FloorID("x"), unit: .inches)).contains("no floor x"))
        #expect(
            refusal(drawing, .init(floor: floor, layers: ["Möbel"], unit: .inches))
                .contains("no layer Möbel"))
        let inches = try drawing.rooms(.init(floor: floor, unit: .inches))
        #expect(inches[0].outline.corners[2] == [12.7, 12.7])
    }

    @Test("Lines enclose rooms, also where their ends nearly meet and where they cross")
    func faces() throws {
        var drawing = HandMadeDrawing()
        // Two rooms with a wall between, whose end is 3 cm short of the wall, and a loose line.
        drawing.line(0, 0, 10, 0)
        drawing.line(10, 0.02, 10, 4)
        drawing.line(10, 4, 0, 4)
        drawing.line(0, 4, 0, 0)
        drawing.line(6, 0, 6, 3.97)
        drawing.line(10, 2, 14, 2)
        drawing.text("A", 1, 1, layer: "names")
        drawing.text("B", 8, 1, layer: "names")
        let rooms = try drawing.rooms()
        #expect(rooms.map(\.name) == ["A", "B"])
        let areas = rooms.map { $0.outline.polygon?.area ?? 0 }
        #expect(abs(areas[0] - 24) < 0.2 && abs(areas[1] - 16) < 0.2, "\(areas)")
    }

    @Test("Upright walls lie anywhere, also at the edges of squares", arguments: [1.95, 3.95, 4.05])
    func upright(x: Double) throws {
        var drawing = HandMadeDrawing()
        drawing.line(x, 0, x + 6, 0)
        drawing.line(x + 6, 0, x + 6, 4)
        drawing.line(x + 6, 4, x, 4)
        drawing.line(x, 4, x, 0)
        let areas = try drawing.rooms().map { $0.outline.polygon?.area ?? 0 }
        #expect(areas.count == 1 && abs(areas[0] - 24) < 0.01, "\(areas)")
    }

    @Test("The strip between the two lines of a wall is no room")
    func walls() throws {
        var drawing = HandMadeDrawing()
        for inset in [0.0, 0.2] {
            let far = 6 - inset
            drawing.line(inset, inset, far, inset)
            drawing.line(far, inset, far, far)
            drawing.line(far, far, inset, far)
            drawing.line(inset, far, inset, inset)
        }
        let areas = try drawing.rooms().map { $0.outline.polygon?.area ?? 0 }
        #expect(areas.count == 2)
        #expect(areas.contains { abs($0 - 31.36) < 0.1 }, "\(areas)")
    }

    @Test("Arcs and bulges are round", arguments: [true, false])
    func curves(isBulge: Bool) throws {
        var drawing = HandMadeDrawing()
        if isBulge {
            drawing.add(
                "LWPOLYLINE", layer: "rooms",
                [
                    (70, "1"), (10, "-2"), (20, "0"), (42, "1"), (10, "2"), (20, "0"), (42, "1"),
                ])
        } else {
            drawing.add("CIRCLE", layer: "rooms", [(10, "0"), (20, "0"), (40, "2")])
        }
        let room = try #require(try drawing.rooms().first)
        #expect(abs((room.outline.polygon?.area ?? 0) - 4 * .pi) < 0.1)
    }

    @Test("Blocks are drawn where they are put, turned, scaled and in rows")
    func blocks() throws {
        var drawing = HandMadeDrawing()
        drawing.block(
            "cabin",
            [
                (0, "LWPOLYLINE"), (8, "0"), (70, "1"), (10, "0"), (20, "0"), (10, "2"), (20, "0"),
                (10, "2"), (20, "1"), (10, "0"), (20, "1"),
            ])
        drawing.insert("cabin", 10, 0, [(50, "90")])
        drawing.insert("cabin", 0, 20, [(70, "3"), (44, "2.5"), (41, "1"), (42, "2")])
        drawing.insert("cabin", 40, 0, [(210, "0"), (220, "0"), (230, "-1")])
        let rooms = try drawing.rooms()
        #expect(rooms.count == 5)
        let boxes = rooms.compactMap { $0.outline.polygon?.centroid.roundedForTests }
        #expect(boxes.contains([9.5, 1]), "\(boxes)")
        #expect(boxes.contains([1, 21]) && boxes.contains([3.5, 21]) && boxes.contains([6, 21]))
        #expect(boxes.contains([-41, 0.5]), "\(boxes)")
    }

    @Test("A block within itself, or too many of them, is refused")
    func bombs() {
        var endless = HandMadeDrawing()
        endless.block("a", [(0, "INSERT"), (8, "0"), (2, "a"), (10, "1"), (20, "1")])
        endless.insert("a", 0, 0)
        let floor = DrawingOptions(floor: HandMadeDrawing.floor)
        #expect(refusal(endless, floor).contains("nested over 16 deep"))
        var many = HandMadeDrawing()
        many.block("a", [(0, "LINE"), (8, "0"), (10, "0"), (20, "0"), (11, "1"), (21, "1")])
        many.insert("a", 0, 0, [(70, "1000"), (71, "1000")])
        many.insert("a", 0, 0, [(70, "1000"), (71, "1000")])
        #expect(refusal(many, floor).contains("(too-large)"))
    }

    @Test("Layers that are switched off are left out unless they are chosen")
    func layers() throws {
        var drawing = HandMadeDrawing()
        drawing.outline([(0, 0), (4, 0), (4, 3), (0, 3)], layer: "A-AREA")
        drawing.outline([(10, 0), (14, 0), (14, 3), (10, 3)], layer: "old")
        drawing.hide("old")
        #expect(try drawing.rooms().count == 1)
        let floor = HandMadeDrawing.floor
        let chosen = try drawing.rooms(.init(floor: floor, layers: ["old"]))
        #expect(chosen.first?.outline.corners.first == [10, 0])
        let layers = try DrawingFile(drawing.bytes).layers
        #expect(layers.map(\.name) == ["A-AREA", "old"])
        #expect(layers.map(\.isShown) == [true, false])
        #expect(layers.map(\.outlines) == [1, 1])
    }

    @Test("A second import of the drawing finds its rooms again, and keeps what people added")
    func again() throws {
        var drawing = HandMadeDrawing()
        drawing.outline([(0, 0), (4, 0), (4, 3), (0, 3)])
        drawing.outline([(5, 0), (9, 0), (9, 3), (5, 3)])
        drawing.text("1.01", 1, 1)
        var site = try drawing.imported().document
        site.rooms[0].openingHours = "Mo-Fr 09:00-17:00"
        site.rooms[1].name = "Named by people"
        #expect(try drawing.imported(into: site).document == site)
        var moved = HandMadeDrawing()
        moved.outline([(0, 0), (4.5, 0), (4.5, 3.5), (0, 3.5)])
        moved.text("1.01", 1, 1)
        let after = try moved.imported(into: site).document
        #expect(after.rooms.count == 2)
        #expect(after.rooms[0].outline.corners[2] == [4.5, 3.5])
        #expect(after.rooms[0].openingHours == "Mo-Fr 09:00-17:00")
    }

    @Test("The drawing is moved and turned to its place on the site")
    func placed() throws {
        var drawing = HandMadeDrawing(unit: 4)
        drawing.outline([(0, 0), (4_000, 0), (4_000, 3_000), (0, 3_000)])
        let options = DrawingOptions(
            floor: HandMadeDrawing.floor, offset: [100, 50], turnDegrees: 90)
        let corners = Set(try drawing.rooms(options)[0].outline.corners)
        #expect(corners == [[100, 50], [100, 54], [97, 54], [97, 50]])
    }

    @Test("The middle of the drawing comes to lie at a chosen point")
    func middle() throws {
        var drawing = HandMadeDrawing()
        drawing.outline([(500, 0), (504, 0), (504, 2), (500, 2)])
        let options = DrawingOptions(
            floor: HandMadeDrawing.floor, turnDegrees: 90, middle: [10, 20])
        let corners = Set(try drawing.rooms(options)[0].outline.corners)
        #expect(corners == [[9, 18], [11, 18], [11, 22], [9, 22]])
    }

    @Test("Texts keep their letters, in files of before and after 2007")
    func letters() throws {
        var drawing = HandMadeDrawing()
        drawing.outline([(0, 0), (4, 0), (4, 3), (0, 3)])
        drawing.add(
            "MTEXT", layer: "rooms",
            [(10, "1"), (20, "1"), (40, "0.2"), (1, #"{\fArial|b1;\H2.5;Caf\U+00E9}\PK\\che %"#)])
        #expect(try drawing.rooms()[0].name == #"Café K\che %"#)
        var old = HandMadeDrawing(version: "AC1015")
        old.outline([(0, 0), (4, 0), (4, 3), (0, 3)])
        old.text("K#che", 1, 1)
        let bytes = old.bytes.map { $0 == UInt8(ascii: "#") ? 0xFC : $0 }
        let site = try DrawingImport(
            DrawingFile(bytes), .init(floor: HandMadeDrawing.floor)
        ).site(HandMadeDrawing.site)
        #expect(site.document.rooms[0].name == "Küche")
        #expect(site.document.rooms[0].kind == "kitchen")
    }

    @Test(
        "Files that are no drawings are refused in one sentence",
        arguments: [
            ("AutoCAD Binary DXF\r\n", "binary DXF"), ("AC1032", "is a DWG"),
            ("0\nSECTION\n2\nENTITIES\n0\nLINE\n", "ends within a section"),
            ("0\nSECTION\n2\nENTITIES\nx\n1\n", "a number here, not x"), ("", "no section"),
            ("0\n", "ends within a pair"),
        ])
    func broken(text: String, reason: String) {
        #expect {
            _ = try DrawingFile(Array(text.utf8))
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    @Test("A drawing of a whole country's grid says that it is far away")
    func far() {
        var drawing = HandMadeDrawing()
        drawing.outline([(530_000, 180_000), (530_004, 180_000), (530_004, 180_003)])
        let reason = refusal(drawing, .init(floor: HandMadeDrawing.floor))
        #expect(reason.contains("over 100 km") && reason.contains("offset"))
    }
}

extension Point {
    fileprivate var roundedForTests: Point {
        Point(x: (x * 10).rounded() / 10, y: (y * 10).rounded() / 10)
    }
}
