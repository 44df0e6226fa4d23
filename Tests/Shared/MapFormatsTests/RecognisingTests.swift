import MapFormats
import SampleSites
import SiteExchange
import Testing

@Suite("Recognising files") struct RecognisingTests {
    @Test("Each format's own export is recognised", arguments: MapFormat.written.map(\.name))
    func exports(name: String) throws {
        let format = try #require(MapFormat.named(name))
        let write = try #require(format.write)
        let bytes = try write(SampleMuseum.document, nil, "2026-11-30T00:00:00.000Z")
        #expect(try MapFormat.recognising(.bytes(bytes)).name == name)
    }

    @Test(
        "Other files are recognised by their beginning",
        arguments: [
            ("  0\r\nSECTION\r\n  2\r\nHEADER\r\n", "dxf"),
            ("999\nmade by hand\n0\nSECTION\n", "dxf"),
            ("AutoCAD Binary DXF\r\n", "dxf"), ("AC1027", "dxf"),
            ("ncols 3\nnrows 3\n", "heights"),
            ("\u{feff}<?xml version='1.0'?>\n<osm version='0.6'/>", "osm"),
            ("Raum-Nr.,Bezeichnung,Etage\n1,a,2\n", "room-list"), ("[]", "beacons"),
            ("id,kind,rooms\n", "connections"),
        ])
    func beginnings(text: String, name: String) throws {
        #expect(try MapFormat.recognising(.bytes(Array(text.utf8))).name == name)
    }

    @Test(
        "What is none of them is refused with where it belongs",
        arguments: [
            ("%PDF-1.7", "upload it as a floor's plan"), ("<svg/>", "no OpenStreetMap"),
            ("hello", "nobody can tell"), ("", "no header"),
            (#"{"originLatitude": 1}"#, "site document"), ("a;b\n1;2\n", "semicolons"),
        ])
    func others(text: String, reason: String) {
        #expect {
            try MapFormat.recognising(.bytes(Array(text.utf8)))
        } throws: { error in
            "\(error)".contains(reason)
        }
    }
}
