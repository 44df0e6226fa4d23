import Foundation
import Testing

@Suite("Files in and out over HTTP") struct ExchangeEndTests {
    private func send(
        _ method: String, _ path: String, _ body: [UInt8] = [], tag: String? = nil
    ) async throws -> Answer {
        let site = try await SmallSite.shared.value
        return try await site.campus.send(
            method, path, token: site.administrator, body: body,
            headers: tag.map { [(name: "If-Match", value: $0)] } ?? [])
    }

    private static let site = """
        {"type": "FeatureCollection", "name": "Exchanged", "features": [
          {"type": "Feature", "id": "b", "properties": {"record": "building", "name": "House"},
           "geometry": null},
          {"type": "Feature", "id": "f", "properties": {"record": "floor", "building": "b"},
           "geometry": null},
          {"type": "Feature", "id": "r1", "properties": {"record": "room", "floor": "f",
           "name": "Hall"}, "geometry": {"type": "Polygon", "coordinates":
           [[[7, 50], [7.0001, 50], [7.0001, 50.0001], [7, 50.0001], [7, 50]]]}},
          {"type": "Feature", "id": "r2", "properties": {"record": "room", "floor": "f",
           "name": "Lab"}, "geometry": null}]}
        """

    @Test("A file makes a site, comes again, and leaves what people edited")
    func again() async throws {
        let path = "/v1/sites/exchange-again"
        let made = try await send("POST", "\(path)/imports?format=geojson", Array(Self.site.utf8))
        #expect(made.status == 201, "\(made.text)")
        let same = try await send("POST", "\(path)/imports?format=geojson", Array(Self.site.utf8))
        #expect(same.status == 200 && same.json["changed"] as? Bool == false, "\(same.text)")

        let edit = Array(#"{"name": "Studio"}"#.utf8)
        let edited = try await send("PATCH", "\(path)/rooms/r2", edit, tag: "*")
        #expect(edited.status == 200, "\(edited.text)")
        let changed = Self.site.replacing("Lab", with: "Workshop").replacing("Hall", with: "Foyer")
        let next = try await send("POST", "\(path)/imports?format=geojson", Array(changed.utf8))
        #expect(next.status == 200, "\(next.text)")
        let conflicts = try #require(next.json["conflicts"] as? [[String: Any]])
        #expect(conflicts.map { $0["inFile"] as? String } == ["Workshop"])
        #expect(conflicts.first?["kept"] as? String == "Studio")
        let rooms = try await send("GET", "\(path)/rooms?version=draft")
        #expect(rooms.text.contains("Studio") && rooms.text.contains("Foyer"), "\(rooms.text)")

        let table = "id,floor,name\r\nr3,f,\"Store, cold\"\r\n"
        let added = try await send("POST", "\(path)/imports?format=rooms", Array(table.utf8))
        #expect(added.status == 200, "\(added.text)")
        let out = try await send("GET", "\(path)/export?format=rooms&version=draft")
        #expect(out.headers["content-type"]?.hasPrefix("text/csv") == true)
        #expect(out.text.contains("r3,f,\"Store, cold\""), "\(out.text)")

        let review = try await send("GET", "\(path)/review?version=draft")
        #expect(review.status == 200)
        #expect(review.text.contains("no-connections"), "\(review.text)")
    }

    @Test("A site goes out as IMDF and GeoJSON, and comes back the same")
    func there() async throws {
        let path = "/v1/sites/exchange-there"
        let made = try await send("POST", "\(path)/imports?format=geojson", Array(Self.site.utf8))
        #expect(made.status == 201, "\(made.text)")
        let document = try await send("GET", path)
        for format in ["imdf", "geojson"] {
            let out = try await send("GET", "\(path)/export?format=\(format)")
            #expect(out.status == 200, "\(format)")
            let copy = "\(path)-\(format)"
            let back = try await send("POST", "\(copy)/imports?format=\(format)", out.body)
            #expect(back.status == 201, "\(back.text)")
            #expect(try await send("GET", copy).text == document.text)
        }
    }

    /// A hill around the site's rooms that rises by 5 cm a cell, about 1.4 m, to the east.
    private static var grid: String {
        let row = (0..<120).map { "\(100 + Double($0 * 5) / 100)" }.joined(separator: " ")
        return "ncols 120\nnrows 80\nxllcorner 6.999\nyllcorner 49.9992\ncellsize 0.00002\n"
            + String(repeating: row + "\n", count: 80)
    }

    @Test("A grid of heights gives a path its slope, and a table gives it a handrail")
    func heights() async throws {
        let path = "/v1/sites/exchange-heights"
        let made = try await send("POST", "\(path)/imports?format=geojson", Array(Self.site.utf8))
        #expect(made.status == 201, "\(made.text)")
        let way = #"{"kind": "walk", "stops": [{"x": 0, "y": 0}, {"x": 25, "y": 0}]}"#
        let drawn = try await send("PUT", "\(path)/connections/path", Array(way.utf8), tag: "*")
        #expect(drawn.status == 201, "\(drawn.text)")
        let sent = try await send("POST", "\(path)/imports?format=heights", Array(Self.grid.utf8))
        #expect(sent.status == 200 && sent.json["changed"] as? Bool == true, "\(sent.text)")
        #expect(sent.text.contains("the steepest way has 3."), "\(sent.text)")
        let counts = sent.json["counts"] as? [String: Any]
        #expect(counts?["slopes"] as? Int == 1, "\(sent.text)")
        let table = "id,handrail\npath,left\n"
        let told = try await send(
            "POST", "\(path)/imports?format=connections", Array(table.utf8))
        #expect(told.status == 200, "\(told.text)")
        let after = try await send("GET", "\(path)/connections/path?version=draft")
        let slope = try #require(after.json["slope"] as? Double, "\(after.text)")
        #expect((0.03...0.04).contains(slope) && after.json["handrail"] as? String == "left")
        #expect(after.json["riseMetres"] as? Double ?? 0 > 0.7)

        let wrong = try await send("POST", "\(path)/imports?format=heights", Array("ncols".utf8))
        #expect(wrong.status == 422 && wrong.code == "import-refused", "\(wrong.text)")
        let out = try await send("GET", "\(path)/export?format=heights")
        #expect(out.code == "format-unknown", "\(out.text)")
        let rail = try await send(
            "PATCH", "\(path)/connections/path", Array(#"{"handrail": "up"}"#.utf8), tag: "*")
        #expect(rail.status == 400 && rail.text.contains("left, right, both"), "\(rail.text)")
        let glass = try await send(
            "PATCH", "\(path)/connections/path", Array(#"{"glass": true}"#.utf8), tag: "*")
        #expect(glass.code == "site-invalid" && glass.text.contains("of door"), "\(glass.text)")
        let row = "id,glass\npath,yes\n"
        let refused = try await send("POST", "\(path)/imports?format=connections", Array(row.utf8))
        #expect(refused.code == "import-refused" && refused.text.contains("line 2: glass"))
    }

    @Test("What can't be taken is refused with the reason, and nothing of it is taken")
    func refusals() async throws {
        let path = "/v1/sites/exchange-refused"
        for (format, body) in [
            ("geojson", "{\"type\": \"Feature"), ("geojson", "[]"), ("imdf", "no zip"),
            ("geojson", Self.site.replacing("\"floor\": \"f\"", with: "\"floor\": \"x\"")),
        ] {
            let answer = try await send(
                "POST", "\(path)/imports?format=\(format)", Array(body.utf8))
            #expect(answer.status == 422 && answer.code == "import-refused", "\(answer.text)")
        }
        let unknown = try await send("POST", "\(path)/imports?format=cad", [])
        #expect(unknown.code == "format-unknown")
        let table = try await send("POST", "\(path)/imports?format=rooms", Array("id,floor\n".utf8))
        #expect(table.status == 404, "\(table.text)")
        #expect(try await send("GET", path).status == 404)
    }
}
