import Events
import Geometry
import Site
import Testing
import Wire

@Suite struct SiteInputTests {
    private let frame = LocalFrame(
        originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 30)

    private func room(_ body: String) throws -> RoomRecord {
        try RoomRecord(
            json: SiteInput(frame: frame).normalised(Array(body.utf8), as: "r", under: "id"))
    }

    private func fault(_ body: String) -> WireFault.Code? {
        do { _ = try room(body) } catch { return (error as? WireFault)?.code }
        return nil
    }

    private let rest = #""floor":"f","name":"R","kind":"room""#

    @Test("Circles and squares become rings of corners")
    func shapes() throws {
        let circle = try room(
            "{\(rest),\"outline\":{\"circle\":{\"x\":1,\"y\":2,\"radiusMetres\":3}}}")
        #expect(circle.outline.corners.count == 32)
        let ring = try #require(circle.outline.polygon)
        #expect(abs(ring.area - 9 * .pi) < 1e-9)
        let square = try room(
            """
            {\(rest),"outline":[[0,0],[9,0],[9,9],[0,9]],
            "holes":[{"square":{"x":4,"y":4,"sideMetres":2}}]}
            """)
        #expect(square.holes == [[[3, 3], [5, 3], [5, 5], [3, 5]]])
    }

    @Test("Degrees may stand for metres in corners and points")
    func degrees() throws {
        let corners = [Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 10, y: 5)]
        let written = corners.map { corner in
            let place = frame.geographic(corner)
            return "{\"latitude\":\(place.latitude),\"longitude\":\(place.longitude)}"
        }.joined(separator: ",")
        let outline = try room("{\(rest),\"outline\":[\(written)]}").outline
        for (corner, point) in zip(outline.corners, corners) {
            #expect(corner.distance(to: point) < 0.001)
        }
        let place = frame.geographic(Point(x: 7, y: -3))
        let body = """
            {"id":"l","floor":"f","latitude":\(place.latitude),"longitude":\(place.longitude)}
            """
        let location = try LocationRecord(
            json: SiteInput(frame: frame).normalised(
                Array(body.utf8), as: "l", under: "id"))
        #expect(location.point.distance(to: [7, -3]) < 0.001)
    }

    @Test("The path gives the id, and a body with another one is refused")
    func identity() throws {
        #expect(try room("{\(rest)}").id == RoomID("r"))
        #expect(try room("{\"id\":\"r\",\(rest)}").id == RoomID("r"))
        #expect(fault("{\"id\":\"s\",\(rest)}") == .fieldOutOfRange)
    }

    @Test(
        "Wrong coordinates and shapes are refused",
        arguments: [
            (#"{"circle":{"x":1,"y":2}}"#, WireFault.Code.fieldMissing),
            (#"{"circle":{"x":1,"y":2,"radiusMetres":-1}}"#, .fieldOutOfRange),
            (#"{"circle":7}"#, .fieldWrongType), (#"{"star":{}}"#, .fieldWrongType),
            (#"[{"latitude":91,"longitude":0}]"#, .coordinatesOutOfRange),
            (#"[{"latitude":1,"longitude":0,"x":2}]"#, .fieldOutOfRange),
        ])
    func nonsense(outline: String, code: WireFault.Code) {
        #expect(fault("{\(rest),\"outline\":\(outline)}") == code)
    }

    @Test("A floor plan's answer shows how well its pairs fit")
    func residual() throws {
        let plan = FloorPlanRecord(
            id: FloorPlanID("p"), floor: FloorID("f"),
            image: MediaReference(hash: "0", type: "image/png", bytes: 1), widthPixels: 100,
            heightPixels: 100,
            alignment: .pairs([
                PixelPair(column: 0, row: 0, point: [0, 10]),
                PixelPair(column: 100, row: 0, point: [10, 10]),
                PixelPair(column: 0, row: 100, point: [0, 0]),
                PixelPair(column: 100, row: 100, point: [10, 1]),
            ]))
        let site = SiteDocument(
            name: "S", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
        let text = String(decoding: plan.answer(in: site), as: UTF8.self)
        // One corner is a metre off; the least-squares affine map leaves a quarter of it at each
        // corner.
        #expect(text.contains("\"residualMetres\":0.25"))
        #expect(!String(decoding: plan.json, as: UTF8.self).contains("residual"))
    }

    @Test("A comparison names the members that differ")
    func comparison() {
        var before = SiteDocument(
            name: "S", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
        before.buildings = [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Z")]
        var after = before
        after.buildings[0].name = "C"
        after.buildings[0].address = "Strand"
        after.bearingDegrees = 3
        let comparison = SiteComparison(from: before, to: after)
        #expect(comparison.changed.map(\.fields) == [["address", "name"]])
        #expect(comparison.siteFields == ["bearingDegrees"])
    }
}
