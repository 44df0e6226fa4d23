import Events
import Testing
import Wire

@Suite("Magnetic routes as surveyors send them") struct MagneticSubmissionTests {
    private static let route = """
        {"id": "hall", "site": "s", "floor": "0", "polyline": [[0, 0], [9, 0.5]],
         "samples": [[0, 1, 2, 3], [50, 4, 5, 6, 0.1, 0.2, 9.7]], "passedAt": [0, 50],
         "stepsAt": [20]}
        """

    @Test("a route is read with its walk; site, passages and steps may be left out")
    func reading() throws {
        let full = try MagneticRouteSubmission(json: Array(Self.route.utf8))
        #expect(full.site == SiteID("s") && full.id == MagneticRouteID("hall"))
        #expect(full.polyline.map(\.y) == [0, 0.5])
        #expect(full.walk.samples.map(\.atMilliseconds) == [0, 50])
        #expect(full.walk.samples[0].gravity == nil)
        #expect(full.walk.samples[1].gravity == MagneticField(x: 0.1, y: 0.2, z: 9.7))
        #expect(full.walk.passedAtMilliseconds == [0, 50])
        #expect(full.walk.stepsAtMilliseconds == [20])
        let walk = try MagneticWalkSubmission(json: Array(#"{"samples": []}"#.utf8))
        #expect(walk.site == nil && walk.walk == MagneticWalk(samples: []))
    }

    @Test("the same body read twice is the same walk")
    func rounding() throws {
        let body = Self.route.replacing("[0, 1, 2, 3]", with: "[0, 1.00049, -2.99951, 0.123456789]")
        let route = try MagneticRouteSubmission(json: Array(body.utf8))
        let event = MagneticRouteRecorded(
            site: SiteID("s"), route: route.id, version: 1, floor: route.floor,
            polyline: route.polyline, walk: route.walk, recordedAt: Timestamp(milliseconds: 0))
        #expect(route.walk.samples[0].field == MagneticField(x: 1, y: -3, z: 0.123))
        #expect(try MagneticRouteRecorded(json: event.json) == event)
    }

    @Test("A line comes back from the text in the database; other texts are refused")
    func storedLine() throws {
        let route = try MagneticRouteSubmission(json: Array(Self.route.utf8))
        let event = MagneticRouteRecorded(
            site: SiteID("s"), route: route.id, version: 1, floor: route.floor,
            polyline: route.polyline, walk: route.walk, recordedAt: Timestamp(milliseconds: 0))
        let line = try MagneticRouteRecorded.polyline(storedJSON: event.polylineJSON)
        #expect(line == route.polyline)
        for text in ["", "{}", "[1]", "[[1]]", "[[1, 2, 3]]", #"[["1", 2]]"#] {
            #expect(throws: WireFault.self) {
                _ = try MagneticRouteRecorded.polyline(storedJSON: text)
            }
        }
    }

    @Test(
        "a fault has its code and names the place",
        arguments: [
            (#""id": "hall""#, #""id": "a b""#, "identifier-malformed", "id"),
            (#""site": "s""#, #""site": "/""#, "site-malformed", "site"),
            (#""floor": "0","#, "", "field-missing", "floor"),
            ("[9, 0.5]", "[9]", "field-out-of-range", "[1]"),
            ("[9, 0.5]", "[9, 1e7]", "coordinates-out-of-range", "[1][1]"),
            ("[0, 1, 2, 3]", "[0, 1, 2]", "field-out-of-range", "[0]"),
            ("[0, 1, 2, 3]", "[0.5, 1, 2, 3]", "field-wrong-type", "[0]"),
            ("[0, 1, 2, 3]", "[-1, 1, 2, 3]", "field-out-of-range", "[0]"),
            ("[0, 1, 2, 3]", #"[0, "1", 2, 3]"#, "field-wrong-type", "[0]"),
            ("[0, 1, 2, 3]", "7", "field-wrong-type", "[0]"),
            ("[20]", "20", "field-wrong-type", "stepsAt"),
            (#""stepsAt""#, #""foo": 1, "stepsAt""#, "field-unknown", "foo"),
        ])
    func faults(part: String, change: String, code: String, place: String) {
        let body = Self.route.replacing(part, with: change)
        do throws(WireFault) {
            _ = try MagneticRouteSubmission(json: Array(body.utf8))
            Issue.record("\(change) was taken")
        } catch {
            #expect(error.code.text == code)
            #expect(error.path.contains(place), "\(error.path)")
        }
    }
}
