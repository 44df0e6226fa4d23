import Events
import Foundation
import ServiceRuntime
import Spool
import Testing
import Wire

@testable import Scanning

private let settingsJSON = """
    {"tag":"7-node","accessPoints":{"allow":[{"ssid":"museum"},{"prefix":"00:62:ec"}],\
    "deny":[{"address":"00:62:ec:00:00:09"},{"ssid":"shop"}]},"placed":["02:aa:00:00:00:01"],\
    "uuids":["f7826da6-4fa2-4e98-8024-bc5b71e0893e"],"node":true}
    """

@Suite struct SiteSettingsTests {
    private func settings(_ json: String = settingsJSON) throws -> ScannerSettings {
        try ScannerSettings(json: Array(json.utf8))
    }

    @Test(
        "What the rules exclude is left out, and what a name decides only with its name",
        arguments: [
            ("museum", "02:11:22:00:00:01", false), ("hotspot", "02:11:22:00:00:01", true),
            ("shop", "00:62:ec:00:00:01", true), ("hotspot", "00:62:ec:00:00:01", false),
            (nil, "00:62:ec:00:00:01", false), (nil, "00:62:ec:00:00:09", true),
            // It may be one of the networks that the rules name.
            (nil, "02:11:22:00:00:01", false), ("", "02:11:22:00:00:01", false),
            ("hotspot", "02:aa:00:00:00:01", false),
        ] as [(String?, String, Bool)])
    func rules(name: String?, address: String, isOut: Bool) throws {
        let reading = WiFiReading(
            bssid: try #require(HardwareAddress(address)), ssid: name, rssi: -50)
        #expect(try settings().leavesOut(reading) == isOut)
        #expect(!ScannerSettings.none.leavesOut(reading))
    }

    @Test("Without rules for names, an access point without one is judged by its address")
    func addresses() throws {
        let json = #"{"tag":"1","accessPoints":{"allow":[{"prefix":"00:62:ec"}]}}"#
        for (address, isOut) in [("00:62:ec:00:00:01", false), ("02:11:22:00:00:01", true)] {
            let reading = WiFiReading(bssid: try #require(HardwareAddress(address)), rssi: -50)
            #expect(try settings(json).leavesOut(reading) == isOut)
        }
        let denied = #"{"tag":"1","accessPoints":{"deny":[{"ssid":"shop"}]}}"#
        let address = HardwareAddress(value: 1)
        for (name, isOut) in [("shop", true), ("museum", false)] {
            let reading = WiFiReading(bssid: address, ssid: name, rssi: -50)
            #expect(try settings(denied).leavesOut(reading) == isOut)
        }
    }

    @Test("Settings are read as they were written")
    func written() throws {
        let read = try settings()
        #expect(read.isNode && read.uuids.count == 1 && read.placed.count == 1)
        #expect(try ScannerSettings(json: read.json) == read)
        #expect(throws: WireFault.self) { try settings("{}") }
    }

    @Test("The server gets the health, and the settings come when their tag is another")
    func told() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let state = StateFolder(path: folder)
        let keeper = try keeper(state.spool)
        await keeper.keep(sampleScan(1))
        let server = FakeServer { request, _ in
            request.method == "PUT"
                ? .answered(status: 200, body: Array(#"{"settings":"7-node"}"#.utf8))
                : .answered(status: 200, body: Array(settingsJSON.utf8))
        }
        let settings = SiteSettings(state)
        let teller = HealthTeller(
            scanner: enrolment.scanner, server: server, keeper: keeper, settings: settings,
            wait: { _ in })
        for _ in 0..<3 { await teller.send() }
        #expect(
            server.received.map { "\($0.method) \($0.path)" } == [
                "PUT /v1/scanners/pi-1/health", "GET /v1/scanners/pi-1/settings",
                "PUT /v1/scanners/pi-1/health", "PUT /v1/scanners/pi-1/health",
            ])
        let told = try ScannerHealth(
            json: server.received[0].body, of: enrolment.scanner, at: Timestamp(microseconds: 0))
        #expect(told.scans == 1 && told.waitingScans == 1)
        #expect(told.server == enrolment.server)
        #expect(settings.current.tag == "7-node")
        // A start without a network has them, too.
        #expect(SiteSettings(state).current == settings.current)
    }

    @Test("The last figures are told at the end, and no settings are asked for")
    func last() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        await keeper.use(source: "lines")
        await keeper.refuse(line: 1, because: "it is no scan")
        await keeper.countLateAnswer(to: EventID(high: 1, low: 2), line: 2)
        let server = FakeServer { _, _ in
            .answered(status: 200, body: Array(#"{"settings":"7-node"}"#.utf8))
        }
        await HealthTeller(
            scanner: enrolment.scanner, server: server, keeper: keeper,
            settings: SiteSettings(nil), wait: { _ in }
        ).putLast()
        try #require(server.received.count == 1)
        let told = try ScannerHealth(
            json: server.received[0].body, of: enrolment.scanner, at: Timestamp(microseconds: 0))
        #expect(told.badLines == 1 && told.lateAnswers == 1 && told.source == "lines")
    }

    @Test("An answer without settings changes nothing", arguments: [200, 404, 401])
    func silent(status: Int) async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let settings = SiteSettings(nil)
        try settings.replace(with: try self.settings())
        let server = FakeServer { request, _ in
            .answered(status: status, body: Array((request.method == "PUT" ? "{}" : "").utf8))
        }
        await HealthTeller(
            scanner: enrolment.scanner, server: server, keeper: keeper, settings: settings,
            wait: { _ in }
        ).send()
        #expect(settings.current.tag == "7-node")
        #expect(await keeper.currentHealth().faults.isEmpty)
    }

    @Test("A scan leaves out what the site excludes, and a node's reports of people go their way")
    func scan() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        let settings = SiteSettings(nil)
        try settings.replace(with: try self.settings())
        let networks = ["museum", "hotspot"].enumerated().map { number, name in
            HeardNetwork(
                bssid: HardwareAddress(value: 0x0211_2200_0000 + UInt64(number)),
                name: Array(name.utf8), rssi: -50)
        }
        let telephone = HeardAddress(address: HardwareAddress(value: 0x4011_2200_0001), rssi: -60)
        let maker = ScanMaker(
            enrolment: enrolment, radio: Radio([FakeRadio(networks: networks)]), keeper: keeper,
            server: FakeServer { _, _ in .answered(status: 202, body: noneRejected) },
            time: SystemTimeSource(),
            wait: { _ in }, settings: settings,
            bluetooth: { settings in
                .init(beacons: [], people: settings.isNode ? [telephone] : [])
            })
        let (scan, people) = try await maker.scan()
        #expect(scan.content.wifi.map(\.ssid) == ["museum"])
        #expect(people == [telephone])
        await keeper.keep(people, by: enrolment.scanner, at: scan.at)
        let batch = try #require(await keeper.batch(.passing, atMost: 10))
        let line = String(decoding: batch.body, as: UTF8.self)
        #expect(line.hasPrefix("{\"sentAt\":") && line.contains("\"scanner\":\"pi-1\""))
        #expect(line.contains("\"address\":\"40:11:22:00:00:01\"") && line.contains("\"rssi\":-60"))
        #expect(await keeper.currentHealth().waitingSightings == 1)
    }
}
