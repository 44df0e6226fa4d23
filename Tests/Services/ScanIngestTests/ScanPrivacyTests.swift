import EventLog
import Events
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import ServiceRuntime
import Site
import Testing
import Wire

@testable import ScanIngest

@Suite("A scan of a device that others heard") struct ScanPrivacyTests {
    private static let address = "7c2f80aabbcc"

    private static func heard(
        _ device: String = address, at: String = "2026-11-22T00:00:00Z", members: String = ""
    ) -> String {
        #"{"device": "\#(device)", "at": "\#(at)", "#
            + #""heardBy": [{"scanner": "node-7", "rssi": -70}]\#(members)}"#
    }

    private func gateway(_ ingest: IngestBench) -> String {
        ingest.bench.issue(.gateway, site: IngestBench.site)
    }

    /// The devices and scanners of all scans that are in the log.
    private func stored(_ ingest: IngestBench) async throws -> [(DeviceID, ScannerID)] {
        try await ingest.scans().map { ($0.device, $0.scanner) }
    }

    @Test("is stored under a pseudonym that ends with its key, also in the record's key")
    func renamed() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let answer = try await ingest.send(Self.heard(), gateway(ingest))
        #expect(answer.status == 202)
        let scan = try #require(try await ingest.scans().first)
        let pseudonym = try #require(Pseudonym(scan.device))
        #expect(pseudonym.ends == IngestBench.keys.keys[1].ends)
        #expect(scan.scanner.text == scan.device.text)
        for record in try await ingest.bench.records(of: .scans) {
            let text = String(decoding: (record.key ?? []) + (record.value ?? []), as: UTF8.self)
            #expect(!text.contains(Self.address))
        }
    }

    @Test("has the same pseudonym however its address is written, and another one the next day")
    func stable() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let gateway = gateway(ingest)
        for device in [Self.address, "7C-2F-80-AA-BB-CC", "7c.2f.80.aa.bb.cc"] {
            _ = try await ingest.send(Self.heard(device), gateway)
        }
        _ = try await ingest.send(Self.heard(at: "2026-11-21T12:00:00Z"), gateway)
        _ = try await ingest.send(Self.heard("7c2f80aabbcd"), gateway)
        let devices = try await stored(ingest).map(\.0)
        #expect(Set(devices.prefix(3)).count == 1 && Set(devices).count == 3)
    }

    @Test("keeps its id where it is enrolled, has a token, or is a pseudonym already")
    func known() async throws {
        let ingest = try await IngestBench()
        ingest.hand(enrolled: [DeviceID("d-1")])
        _ = ingest.bench.issue(.device, site: IngestBench.site, device: DeviceID("badge"))
        let gateway = gateway(ingest)
        let pseudonym = Pseudonym(ends: ServiceBench.start, hash: [UInt8](repeating: 1, count: 16))
        let ids = ["d-1", "badge", pseudonym.device.text]
        for id in ids { _ = try await ingest.send(Self.heard(id), gateway) }
        #expect(Set(try await stored(ingest).map(\.0.text)) == Set(ids))
    }

    @Test("is the enrolled device whose identity key made the address")
    func resolved() async throws {
        let ingest = try await IngestBench()
        let key: [UInt8] = [
            0xec, 0x02, 0x34, 0xa3, 0x57, 0xc8, 0xad, 0x05, 0x34, 0x10, 0x10, 0xa6, 0x0a, 0x39,
            0x7d, 0x9b,
        ]
        let watch = DeviceID("d-watch")
        ingest.hand(enrolled: [watch], identities: [.init(device: watch, key: key)])
        let gateway = gateway(ingest)
        for device in ["7081940dfbaa", "70-81-94-0d-fb-aa", "7081940dfbab"] {
            _ = try await ingest.send(Self.heard(device), gateway)
        }
        let stored = try await stored(ingest)
        #expect(stored.count { $0.0 == watch } == 2)
        #expect(stored.map(\.1.text) == stored.map(\.0.text))
    }

    @Test("is answered 503 without a key, and 422 when the key is gone; other scans go on")
    func missing() async throws {
        let ingest = try await IngestBench()
        let gateway = gateway(ingest)
        let none = try await ingest.send(Self.heard(), gateway)
        #expect(none.status == 503 && none.text.contains("day-key-missing"))
        #expect(try await ingest.send(IngestBench.scan(), ingest.phone()).status == 202)
        ingest.hand()
        let old = try await ingest.send(Self.heard(at: "2026-11-20T23:00:00Z"), gateway)
        #expect(old.status == 422 && old.text.contains("heard-too-long-ago"))
        #expect(try await ingest.send(Self.heard(), gateway).status == 202)
    }

    @Test("is on the day of its arrival where the sender's clock is wrong by years")
    func wrongClock() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let members = #", "sentAt": "2001-01-01T00:00:10Z""#
        let body = Self.heard(at: "2001-01-01T00:00:00Z", members: members)
        #expect(try await ingest.send(body, gateway(ingest)).status == 202)
        let device = try #require(try await stored(ingest).first?.0)
        // Ten seconds before the start is yesterday.
        #expect(Pseudonym(device)?.ends == ServiceBench.start)
    }
}

@Suite("A scan of an erased device") struct ErasedScanTests {
    private static let id = EnrolledID.device([UInt8](repeating: 0xab, count: EnrolledID.bytes))

    private static func erase(_ device: DeviceID, _ ingest: IngestBench) {
        ingest.erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 1, low: 1), site: IngestBench.site, device: device,
                    at: ServiceBench.start)
            ]))
    }

    private static func scan(_ device: DeviceID, at: String) -> String {
        #"{"site": "\#(IngestBench.site)", "device": "\#(device)", "at": "\#(at)", "#
            + #""wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50}]}"#
    }

    private static let (before, after) = ("2026-11-21T23:00:00Z", "2026-11-22T00:00:01Z")

    @Test("is refused whatever its time, where the id is random and comes never again")
    func random() async throws {
        let ingest = try await IngestBench()
        Self.erase(Self.id, ingest)
        // The token lives for some seconds more; an administrator may replay a file.
        let own = ingest.bench.issue(.device, site: IngestBench.site, device: Self.id)
        let keeper = ingest.bench.issue(.administrator)
        for (token, at) in [(own, Self.after), (keeper, Self.after), (keeper, Self.before)] {
            let answer = try await ingest.send(Self.scan(Self.id, at: at), token)
            #expect(answer.status == 410 && answer.text.contains("device-erased"))
        }
        #expect(try await ingest.scans().isEmpty)
    }

    @Test("is refused until the erasure, where people chose the id and may choose it again")
    func chosen() async throws {
        let ingest = try await IngestBench()
        let phone = DeviceID("phone")
        Self.erase(phone, ingest)
        let old = try await ingest.send(Self.scan(phone, at: Self.before), ingest.phone())
        #expect(old.status == 410)
        let new = try await ingest.send(Self.scan(phone, at: Self.after), ingest.phone())
        #expect(new.status == 202)
    }

    @Test("is no other device's: one that was enrolled a moment ago is taken, though not known yet")
    func unknown() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let keeper = ingest.bench.issue(.administrator)
        let answer = try await ingest.send(Self.scan(Self.id, at: Self.after), keeper)
        #expect(answer.status == 202)
    }

    @Test("waits until the erased devices are known")
    func starting() async throws {
        let ingest = try await IngestBench(isStarting: true)
        ingest.bench.publish(SampleSite.index, as: IngestBench.site)
        ingest.bench.tokens.replace(with: TrustTable())
        #expect(!ingest.inbound.intake.isReady)
        ingest.erased.replace(with: ErasedDevices())
        #expect(ingest.inbound.intake.isReady)
    }
}

@Suite("Readings of a scan") struct ScreenedReadingsTests {
    private static func publish(_ ingest: IngestBench, _ rules: AccessPointRules) throws {
        var document = SampleSite.index.document
        document.accessPoints = rules
        ingest.bench.publish(try SiteIndex(document), as: IngestBench.site, version: 2)
    }

    private static let body = """
        {"at": "2026-11-21T23:00:00Z", "wifi": [
            {"bssid": "00:62:ec:fd:ec:50", "ssid": "eduroam", "rssi": -62},
            {"bssid": "02:62:ec:fd:ec:51", "ssid": "Anna's iPhone", "rssi": -40},
            {"bssid": "06:62:ec:fd:ec:52", "ssid": "Home_nomap", "rssi": -70}],
         "ble": [{"address": "7c:2f:80:aa:bb:cc", "rssi": -60}]
        """

    @Test("are left out where the site's rules don't name them, and counted")
    func ruled() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try Self.publish(ingest, AccessPointRules(allow: [.network("eduroam")]))
        #expect(try await ingest.send(Self.body + "}", ingest.phone()).status == 202)
        let scan = try #require(try await ingest.scans().first)
        #expect(scan.wifi.map(\.ssid) == ["eduroam"] && scan.ble.isEmpty)
        let metrics = ingest.bench.metrics.exposition
        #expect(metrics.contains(#"whereabouts_readings_dropped_total{reason="not-named"} 2"#))
        #expect(metrics.contains(#"whereabouts_readings_dropped_total{reason="opted-out"} 1"#))
    }

    @Test("keep all networks without rules but those that opted out; Bluetooth is hashed")
    func unruled() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        for _ in 0..<2 { _ = try await ingest.send(Self.body + "}", ingest.phone()) }
        let scans = try await ingest.scans()
        #expect(scans.allSatisfy { $0.wifi.map(\.ssid) == ["eduroam", "Anna's iPhone"] })
        let addresses = Set(scans.flatMap(\.ble).compactMap(\.address))
        #expect(addresses.count == 1 && (addresses.first?.value ?? 0) >> 46 == 2)
        #expect(addresses.first != HardwareAddress(value: 0x7c2f_80aa_bbcc))
    }

    @Test("without a name are left out where the access point was heard with one that opts out")
    func namelessOptedOut() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let nameless = """
            {"at": "2026-11-21T23:00:01Z", "wifi": [
                {"bssid": "00:62:ec:fd:ec:50", "rssi": -62},
                {"bssid": "06:62:ec:fd:ec:52", "rssi": -70}]}
            """
        for body in [Self.body + "}", nameless] {
            #expect(try await ingest.send(body, ingest.phone()).status == 202)
        }
        let last = try #require(try await ingest.scans().last)
        #expect(last.wifi.map(\.bssid) == [HardwareAddress(value: 0x0062_ecfd_ec50)])
    }

    @Test("of a site's first survey bring the request for rules, where it has none")
    func asksForRules() async throws {
        let ingest = try await IngestBench()
        let token = ingest.bench.issue(
            .surveyor, site: IngestBench.site, device: DeviceID("tablet"))
        func notice() async throws -> String? {
            let survey = IngestBench.scan(#""place": {"location": "desk"}"#)
            let answer = try await ingest.send(survey, token, to: "/v1/surveys")
            #expect(answer.status == 202 && answer["accepted"] == "1")
            return answer["notice.code"]
        }
        #expect(try await notice() == "access-point-rules-missing")
        #expect(try await notice() == nil)
        let other = try await IngestBench()
        try Self.publish(other, AccessPointRules(allow: [.prefix(0x02, count: 1)]))
        let survey = IngestBench.scan(#""place": {"location": "desk"}"#)
        let named = other.bench.issue(
            .surveyor, site: IngestBench.site, device: DeviceID("tablet"))
        let answer = try await other.send(survey, named, to: "/v1/surveys")
        #expect(answer.status == 202 && answer["notice.code"] == nil)
    }

    @Test("of a survey with nothing of the site are refused, with the cure")
    func survey() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try Self.publish(ingest, AccessPointRules(allow: [.network("museum")]))
        let token = ingest.bench.issue(
            .surveyor, site: IngestBench.site, device: DeviceID("tablet"))
        let answer = try await ingest.send(
            Self.body + #", "place": {"location": "desk"}}"#, token, to: "/v1/surveys")
        #expect(answer.status == 422 && answer.text.contains("nothing-of-site-heard"))
    }
}
