import Events
import Site
import Testing
import Wire

@Suite("SiteDocument as JSON") struct SiteDocumentTests {
    private func fault(_ text: String) -> WireFault? {
        do throws(WireFault) {
            _ = try SiteDocument(json: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func document(_ rest: String) -> String {
        #"{"name": "S", "origin": {"latitude": 1, "longitude": 2}, "bearingDegrees": 0\#(rest)}"#
    }

    @Test("a document is read as it was written")
    func roundTrip() throws {
        let document = SampleEvents.site.document
        #expect(try SiteDocument(json: document.json) == document)
    }

    @Test("Rules for access points are written as they were read")
    func accessPoints() throws {
        let rules =
            #"{"allow": [{"ssid": "eduroam"}, {"prefix": "00-62-EC"}, {"prefix": "02"}], "#
            + #""deny": [{"address": "00:62:ec:fd:ec:50"}]}"#
        let site = try SiteDocument(json: Array(document(#", "accessPoints": \#(rules)"#).utf8))
        #expect(
            site.accessPoints
                == AccessPointRules(
                    allow: [
                        .network("eduroam"), .prefix(0x0062EC, count: 3), .prefix(2, count: 1),
                    ],
                    deny: [.address(HardwareAddress(value: 0x0062_ECFD_EC50))]))
        #expect(try SiteDocument(json: site.json) == site)
        for rule in [
            #"{}"#, #"{"prefix": "0"}"#, #"{"prefix": "00:62:"}"#,
            #"{"ssid": "a", "prefix": "00"}"#,
        ] {
            let text = document(#", "accessPoints": {"allow": [\#(rule)]}"#)
            #expect(fault(text)?.code == .fieldOutOfRange)
        }
    }

    @Test("lists may be left out")
    func empty() throws {
        let site = try SiteDocument(json: Array(document("").utf8))
        #expect(site.floors.isEmpty && site.originLongitude == 2)
    }

    @Test(
        "a fault names the field",
        arguments: [
            ("[]", "not-an-object", ""), ("{", "truncated", ""),
            (#"{"name": "S"}"#, "field-missing", "origin"),
            (#"{"name": "S", "origin": 3}"#, "field-wrong-type", "origin"),
            (
                #"{"name": "S", "origin": {"latitude": 99, "longitude": 2}}"#,
                "coordinates-out-of-range", "origin.latitude"
            ),
        ])
    func faults(text: String, code: String, path: String) {
        #expect(fault(text)?.code.text == code)
        #expect(fault(text)?.path == path)
    }

    @Test(
        "a fault in a list names the element",
        arguments: [
            (#""buildings": {}"#, "field-wrong-type", "buildings"),
            (#""buildings": [{"id": "b", "name": "B"}]"#, "field-missing", "buildings[0].timeZone"),
            (#""floors": [{"id": "a b"}]"#, "identifier-malformed", "floors[0].id"),
            (
                #""floors": [{"id": "a", "building": "b", "ordinal": 1.5, "level": "1"}]"#,
                "field-wrong-type", "floors[0].ordinal"
            ),
            (room(#"[[0, 0], [1]]"#), "field-out-of-range", "rooms[0].outline[1]"),
            (room(#"[[0, 0], [1, "a"]]"#), "field-wrong-type", "rooms[0].outline[1][1]"),
            (room(#"[[0, 0], 5]"#), "field-wrong-type", "rooms[0].outline[1]"),
            (
                #""locations": [{"id": "l", "floor": "f", "x": 1, "y": 1e9}]"#,
                "coordinates-out-of-range", "locations[0].y"
            ),
        ])
    func listFaults(member: String, code: String, path: String) {
        let found = fault(document(", " + member))
        #expect(found?.code.text == code)
        #expect(found?.path == path)
    }

    private static func room(_ outline: String) -> String {
        #""rooms": [{"id": "r", "floor": "f", "name": "", "kind": "", "outline": \#(outline)}]"#
    }
}
