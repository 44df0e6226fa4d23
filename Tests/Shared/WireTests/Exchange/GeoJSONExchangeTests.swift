import Events
import Geometry
import Site
import SiteExchange
import Testing
import Wire

@Suite("GeoJSON there and back") struct GeoJSONExchangeTests {
    /// The site after it was written and read as bytes.
    private func back(_ site: SiteDocument) throws -> SiteDocument {
        let bytes = GeoJSONExchange.featureCollection(of: site).json
        return try GeoJSONExchange.site(from: PropertyValue(json: bytes)).document
    }

    @Test("A site comes back complete and in its order", arguments: 0..<60)
    func whole(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        #expect(try back(site) == site)
    }

    @Test("The attribution stands beside the shapes, and every feature has an id")
    func attribution() throws {
        let sites = (0..<20).map { RandomSite(seed: $0).document }
        var site = try #require(sites.first { !$0.accessPointPlaces.isEmpty })
        site.attribution = "© OpenStreetMap contributors"
        let collection = GeoJSONExchange.featureCollection(of: site)
        #expect(collection["attribution"].text == site.attribution)
        #expect(collection["features"].list.allSatisfy { $0["id"].text != nil })
        #expect(try back(site) == site)
    }

    @Test("A campus comes back complete") func campus() throws {
        guard let archive = try Polytech.archive() else { return }
        let site = try IMDFExchange.site(from: archive).document
        #expect(try back(site) == site)
    }

    @Test("Moving a shape moves the record") func moved() throws {
        let site = RandomSite(seed: 5).document
        let room = try #require(site.rooms.firstIndex { !$0.outline.isEmpty && $0.holes.isEmpty })
        var collection = GeoJSONExchange.featureCollection(of: site)
        var features = collection["features"].list
        let index = try #require(
            features.firstIndex { $0["id"].text == site.rooms[room].id.text })
        let frame = LocalFrame(
            originLatitude: site.originLatitude, originLongitude: site.originLongitude,
            bearingDegrees: site.bearingDegrees)
        let corners: [Point] = [[1, 2], [5, 2], [5, 6]]
        let ring = (corners + [corners[0]]).map { corner -> PropertyValue in
            let place = frame.geographic(corner)
            return [PropertyValue(place.longitude), PropertyValue(place.latitude)]
        }
        features[index]["geometry"] = ["type": "Polygon", "coordinates": [.list(ring)]]
        collection["features"] = .list(features)
        var expected = site
        expected.rooms[room].outline = Ring(corners)
        #expect(try GeoJSONExchange.site(from: collection).document == expected)
    }

    @Test("A few features drawn by hand are a site") func byHand() throws {
        func feature(_ properties: PropertyValue, _ geometry: PropertyValue) -> PropertyValue {
            ["type": "Feature", "properties": properties, "geometry": geometry]
        }
        let square: PropertyValue = [
            "type": "Polygon",
            "coordinates": [
                [[7.0, 50], [7.0002, 50], [7.0002, 50.0002], [7.0, 50.0002], [7.0, 50]]
            ],
        ]
        let collection: PropertyValue = [
            "type": "FeatureCollection", "name": "Drawn",
            "features": [
                feature(["record": "building", "id": "b"], square),
                feature(["record": "floor", "id": "f", "building": "b"], nil),
                feature(["record": "room", "id": "r", "floor": "f", "name": "Hall"], square),
                feature(
                    ["record": "location", "id": "l", "floor": "f"],
                    ["type": "Point", "coordinates": [7.0001, 50.0001]]),
                feature(["note": "a tree"], ["type": "Point", "coordinates": [7.0, 50]]),
            ],
        ]
        let imported = try GeoJSONExchange.site(from: collection)
        let site = imported.document
        #expect(site.name == "Drawn")
        #expect(site.rooms[0].outline.corners.count == 4)
        #expect(site.rooms[0].kind == "room")
        #expect(abs(site.locations[0].point.x) < 0.01)
        #expect(site.originLatitude == 50.0001)
        #expect(imported.report.noteCount == 1)
    }

    @Test("A file that is not a site is refused, with the reason")
    func refusals() {
        func whole(_ value: PropertyValue) -> ImportRefusal? {
            do throws(ImportRefusal) {
                _ = try GeoJSONExchange.site(from: value)
                return nil
            } catch {
                return error
            }
        }
        func refusal(_ value: PropertyValue) -> ImportRefusal.Code? { whole(value)?.code }
        #expect(refusal([:]) == .malformed)
        #expect(refusal(["type": "FeatureCollection", "features": []]) == .malformed)
        let tree: PropertyValue = [
            "type": "Feature", "properties": [:],
            "geometry": ["type": "Point", "coordinates": [7, 50]],
        ]
        #expect(
            refusal(["type": "FeatureCollection", "features": [tree]]) == .nothingToImport)
        // The reason explains to a newcomer how a feature names its record.
        let detail = whole(["type": "FeatureCollection", "features": [tree]])?.detail ?? ""
        #expect(detail.contains("property record") && detail.contains("room, "), "\(detail)")
        var room = tree
        room["properties"] = ["record": "room", "id": "r", "floor": "nowhere"]
        #expect(refusal(["type": "FeatureCollection", "features": [room]]) == .malformed)
    }
}
