import Cryptography
import Devices
import Events
import Geometry
import HTTPClient
import Positioning
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import Locator

/// A visitor of whom nothing is stored keeps the state of his own device.
@Suite("Questions with a memory") struct RememberedQuestionTests {
    private static let away = Neighbour { _, _, _ in throw CancellationError() }
    private let bench: ServiceBench
    private let locating: Locating
    private let app: Served

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        let sites = KnownSites(
            log: bench.log, published: bench.sites, mapStore: Self.away, notices: bench.notices,
            positioners: [WorkingPositioner(positioner: AutomaticPositioner(), option: "auto")])
        locating = Locating(
            sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
            visited: VisitedPartitions(), clock: bench.clock, onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security, locating: locating,
                former: FormerSites(sites: sites, siteEditor: Self.away),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(bench.absentDatabase),
                seal: MemorySeal(secret: "s")
            ).all)
        var announcement = LocatorBench.announcement(version: 1)
        announcement.site = SampleSite.id
        sites.adopt(
            SampleSite.map,
            SiteSources(SampleSite.id, site: bench.sites[whole: SampleSite.id], map: announcement),
            of: SampleSite.id)
    }

    /// Somebody walks along the hall, with a scan every four seconds.
    ///
    /// - Parameter isVaried: whether the scans also have steps and satellites, some have no
    ///   readings, and a pause ends the track.
    private func body(_ number: Int, memory: String?, isVaried: Bool = false) -> String {
        let point = Point(x: 2 + 2 * Double(number % 8), y: 3.5)
        let isSilent = isVaried && [6, 7].contains(number)
        let readings = SampleSite.readings(at: point, floor: SampleSite.ground)
            .map { #"{"bssid": "\#($0.bssid.text)", "rssi": \#($0.rssi - number % 3)}"# }
        var members = [#""at": "\#(at(number, isVaried: isVaried))""#]
        members.append(#""wifi": [\#(isSilent ? "" : readings.joined(separator: ", "))]"#)
        if isVaried {
            members.append(#""steps": \#(number % 4)"#)
            members.append(
                #""gnss": {"latitude": 51.5001, "longitude": -0.1, "accuracyMetres": 12}"#)
        }
        if let memory { members.append(#""memory": "\#(memory)""#) }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private func at(_ number: Int, isVaried: Bool) -> String {
        // The pause is longer than a track lasts without scans.
        let seconds = Int64(number - 20) * 4 - (isVaried && number < 11 ? 120 : 0)
        return ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000).text
    }

    private func ask(
        _ number: Int, memory: String?, _ token: String, isVaried: Bool = false
    ) async throws -> Answer {
        try await app.send(
            "POST", "/v1/locate", token: token,
            body: body(number, memory: memory, isVaried: isVaried))
    }

    private func isSame(_ text: String?, _ number: Double?) -> Bool {
        guard let number, let served = text.flatMap(Double.init) else {
            return text == nil && number == nil
        }
        return abs(served - number) < 0.001
    }

    @Test(
        "The same scans give the same positions as a device that the locator follows",
        arguments: [false, true])
    func same(isVaried: Bool) async throws {
        let token = bench.issue(.visitor, site: SampleSite.id)
        var (memory, device, scratch) = ("", Device(), DeviceScratch())
        var differences = 0
        for number in 0..<16 {
            let answer = try await ask(number, memory: memory, token, isVaried: isVaried)
            #expect(answer.status == 200)
            memory = try #require(answer["memory"])
            #expect(answer.text.contains(#""memoryLeftOut":[]"#))
            #expect(bytes(ofBase64: memory)?.count ?? .max < 3_072)
            let scan = try SubmissionDecoder(.scan).decodeOne(
                Array(body(number, memory: nil, isVaried: isVaried).utf8),
                receivedAt: bench.clock.now
            ).recorded(
                id: EventID(high: 1, low: UInt64(number)), site: SampleSite.id,
                device: DeviceID("phone"))
            let located = device.decide(
                scan, in: locating.sites.knowledge(of: SampleSite.id), by: locating.rules,
                locatedAt: bench.clock.now, scratch: &scratch)
            _ = device.evolve(located)
            let served = try #require(located.served)
            #expect(isSame(answer["x"], served.x) && isSame(answer["y"], served.y))
            #expect(isSame(answer["radius68"], served.radius68))
            #expect(isSame(answer["radius95"], served.radius95))
            #expect(answer["floor"] == served.floor?.text && answer["room"] == served.room?.text)
            #expect(answer["state"] == served.state.rawValue)
            let alone = try await ask(number, memory: nil, token, isVaried: isVaried)
            #expect(alone["memory"] == nil && !alone.text.contains("memoryLeftOut"))
            if alone["x"] != answer["x"] { differences += 1 }
        }
        #expect(differences > (isVaried ? 4 : 8), "the memory makes no difference")
        #expect(try await bench.records(of: .positions).isEmpty)
    }

    @Test("A memory of somebody else, or of the day before yesterday, begins anew")
    func foreign() async throws {
        let (own, other) = (
            bench.issue(.visitor, site: SampleSite.id), bench.issue(.visitor, site: SampleSite.id)
        )
        var memory = ""
        for number in 0..<6 { memory = try await ask(number, memory: memory, own)["memory"] ?? "" }
        let first = try await ask(6, memory: "", own)
        let stolen = try await ask(6, memory: memory, other)
        #expect(stolen.status == 200 && stolen["x"] == first["x"])
        #expect(try await ask(6, memory: memory, own)["x"] != first["x"])
        let seal = MemorySeal(secret: "s")
        let (site, now) = (SampleSite.id, bench.clock.now)
        let sealed = try #require(seal.seal([1, 2, 3], of: "a", at: site, now: now))
        func days(_ count: Int64) -> Timestamp {
            now.advanced(byMicroseconds: count * 86_400_000_000)
        }
        #expect(seal.open(sealed, of: "a", at: site, now: days(1)) == [1, 2, 3])
        #expect(seal.open(sealed, of: "a", at: site, now: days(2)) == nil)
        #expect(seal.open(sealed, of: "b", at: site, now: now) == nil)
        #expect(seal.open(sealed, of: "a", at: SiteID("other"), now: now) == nil)
        #expect(seal.open(Array(sealed.dropLast()), of: "a", at: site, now: now) == nil)
    }

    @Test("A memory with a changed byte begins anew, wherever the byte is")
    func changed() async throws {
        let token = bench.issue(.visitor, site: SampleSite.id)
        var memory = ""
        for number in 0..<6 {
            memory = try await ask(number, memory: memory, token)["memory"] ?? ""
        }
        let first = try await ask(6, memory: "", token)
        #expect(try await ask(6, memory: memory, token)["x"] != first["x"])
        let sealed = try #require(bytes(ofBase64: memory))
        for place in [0, sealed.count / 2, sealed.count - 1] {
            var changed = sealed
            changed[place] ^= 1
            let answer = try await ask(6, memory: base64(changed), token)
            #expect(answer.status == 200 && answer["x"] == first["x"], "byte \(place)")
        }
        let seal = MemorySeal(secret: "s")
        let (site, now) = (SampleSite.id, bench.clock.now)
        let short = try #require(seal.seal([1, 2, 3], of: "a", at: site, now: now))
        for place in short.indices {
            var changed = short
            changed[place] ^= 0x80
            #expect(seal.open(changed, of: "a", at: site, now: now) == nil, "byte \(place)")
        }
        #expect(
            MemorySeal(secret: "t").open(short, of: "a", at: site, now: now) == nil,
            "another installation's")
    }

    @Test(
        "A memory that no answer had is refused",
        arguments: [
            ("no base64!", "field-wrong-type"),
            (base64([UInt8](repeating: 1, count: 6_145)), "field-out-of-range"),
        ])
    func malformed(memory: String, code: String) async throws {
        let answer = try await ask(0, memory: memory, bench.issue(.visitor, site: SampleSite.id))
        #expect(answer.status == 400)
        #expect(answer.code == code)
    }
}
