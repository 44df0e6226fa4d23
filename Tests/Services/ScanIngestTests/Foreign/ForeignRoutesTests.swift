import Events
import Foundation
import HTTP
import ServiceBench
import ServiceHost
import Testing
import Wire

@testable import ScanIngest

@Suite("The paths of other systems") struct ForeignRoutesTests {
    private static func basic(_ token: String) -> [String: String] {
        ["authorization": "Basic \(Data("any:\(token)".utf8).base64EncodedString())"]
    }

    @Test("POST /data stores a scan by a token as the password", arguments: Transport.allCases)
    func find3(over transport: Transport) async throws {
        let bench = try await ForeignBench(over: transport)
        // Addresses of Bluetooth are hashed, and left out where there is no key.
        bench.ingest.hand()
        let token = bench.ingest.phone()
        let body = try ForeignBench.payload("find3-track.json")
        for _ in 0..<2 {
            let answer = try await bench.app.send(
                "POST", "/data", headers: Self.basic(token), body: body)
            #expect(answer.status == 200 && answer["success"] == "true")
        }
        // A retry is the same scan.
        let scans = try await bench.ingest.scans()
        #expect(scans.count == 1)
        let scan = try #require(scans.first)
        #expect(scan.site == IngestBench.site && scan.device == DeviceID("phone"))
        #expect(scan.content.wifi.map(\.rssi) == [-50, -64])
        #expect(scan.content.ble.map(\.rssi) == [-72, -81])
        #expect(scan.at.text == "2026-11-21T23:59:59.000Z")
        await bench.app.stop()
    }

    @Test("POST /data with a location is a survey there, for who may make surveys")
    func learning() async throws {
        let bench = try await ForeignBench()
        let body = try ForeignBench.payload("find3-learn.json")
        let phone = bench.ingest.bench.issue(
            .device, site: IngestBench.site, device: DeviceID("anna-s-tablet"))
        let refused = try await bench.app.send("POST", "/data", token: phone, body: body)
        #expect(refused.status == 403 && refused["success"] == "false")
        let editor = bench.ingest.bench.issue(.administratorOfSite, site: IngestBench.site)
        let answer = try await bench.app.send("POST", "/data", token: editor, body: body)
        #expect(answer.status == 200)
        let surveys = try await bench.ingest.surveys()
        #expect(surveys.map(\.place) == [.location(LocationID("desk"))])
        #expect(surveys.first?.scan.device == DeviceID("anna-s-tablet"))
    }

    @Test("POST /data answers problems in FIND3's form, with their own status")
    func refusals() async throws {
        let bench = try await ForeignBench()
        let body = try ForeignBench.payload("find3-track.json")
        let nobody = try await bench.app.send("POST", "/data", body: body)
        #expect(nobody.status == 401 && nobody["success"] == "false")
        #expect(nobody.headers["www-authenticate"]?.hasPrefix("Basic") == true)
        #expect(nobody.headers["content-type"] == "application/json")
        let other = bench.ingest.bench.issue(
            .device, site: IngestBench.site, device: DeviceID("other"))
        let foreign = try await bench.app.send("POST", "/data", token: other, body: body)
        #expect(foreign.status == 403 && foreign["message"] != nil)
        let broken = try await bench.app.send("POST", "/data", token: other, body: "{")
        #expect(broken.status == 400)
        let starting = try await ForeignBench(isStarting: true)
        #expect(
            try await starting.app.send("POST", "/data", token: other, body: body).status == 503)
        #expect(try await bench.ingest.scans().isEmpty)
    }

    @Test("Meraki gets the validator of a site that has one")
    func validator() async throws {
        let bench = try await ForeignBench()
        let answer = try await bench.app.send("GET", "/v1/meraki/sample")
        #expect(answer.status == 200 && answer.text == "the-validator")
        #expect(try await bench.app.send("GET", "/v1/meraki/other").status == 404)
    }

    @Test("Meraki's posts are taken with the site's secret alone", arguments: Transport.allCases)
    func meraki(over transport: Transport) async throws {
        let bench = try await ForeignBench(over: transport)
        let body = try ForeignBench.payload("meraki-wifi.json")
        let wrong = try await bench.app.send(
            "POST", "/v1/meraki/sample", body: body.replacing("sixteen", with: "Sixteen"))
        #expect(wrong.status == 403 && wrong.code == "foreign-secret-wrong")
        #expect(bench.sink.asked == 0)
        let answer = try await bench.app.send("POST", "/v1/meraki/sample", body: body)
        #expect(answer.status == 200 && answer["accepted"] == "5" && answer["leftOut"] == "0")
        #expect(bench.sink.kept.count == 5 && bench.sink.sites == [IngestBench.site])
        #expect(try await bench.app.send("POST", "/v1/meraki/other", body: body).status == 404)
        await bench.app.stop()
    }

    @Test("A post for a site without Meraki's network is refused by its path, however large it is")
    func largeToNowhere() async throws {
        let bench = try await ForeignBench()
        let body = String(repeating: " ", count: 8_388_609)
        #expect(try await bench.app.send("POST", "/v1/meraki/other", body: body).status == 404)
        #expect(try await bench.app.send("POST", "/v1/meraki/sample", body: body).status == 413)
    }

    @Test("Meraki is told how many were refused")
    func refusedRecords() async throws {
        let sink = KeepingSink(refusing: [Problem(.deviceErased, "the device was erased")])
        let bench = try await ForeignBench(sink: sink)
        let body = try ForeignBench.payload("meraki-wifi.json")
        let answer = try await bench.app.send("POST", "/v1/meraki/sample", body: body)
        #expect(answer["accepted"] == "4" && answer["refused"] == "1")
    }

    @Test("A post that can't be stored is answered so")
    func away() async throws {
        let bench = try await ForeignBench(sink: KeepingSink(failing: [.starting]))
        let body = try ForeignBench.payload("meraki-ble.json")
        #expect(try await bench.app.send("POST", "/v1/meraki/sample", body: body).status == 503)
        #expect(try await bench.app.send("POST", "/v1/meraki/sample", body: body).status == 200)
    }

    @Test(
        "Lines of Meraki's sites need a site, a validator and a long secret, each site once",
        arguments: [
            "sample validator short", "sample validator", "a/b validator secret-of-16-bytes",
            "a v secret-of-16-bytes\na v secret-of-16-bytes", "",
        ])
    func settings(text: String) { #expect(MerakiSites(text)[SiteID("sample")] == nil) }
}
