import Events
import Testing
import Wire

@Suite("Payloads of other systems that can't be used") struct ForeignFaultTests {
    private static func heard(
        _ payload: String, topic: String = "espresense/devices/x/hall"
    ) throws -> HeardDevice? {
        try ESPresenseMessage.heard(
            topic: topic, payload: Array(payload.utf8), receivedAt: ForeignPayload.received)
    }

    private static func code(_ body: () throws -> Any?) -> WireFault.Code? {
        do { _ = try body() } catch { return (error as? WireFault)?.code }
        return nil
    }

    @Test(
        "A message of a node needs a device, a strength, and a topic that ends as documented")
    func nodes() throws {
        let good = #"{"mac":"c0ffee123456","id":"c0ffee123456","rssi":-70}"#
        #expect(try Self.heard(good)?.name == "c0:ff:ee:12:34:56")
        #expect(Self.code { try Self.heard(good, topic: "espresense/rooms/hall") } == .foreignTopic)
        #expect(
            Self.code { try Self.heard(good, topic: "espresense/devices/x/...") } == nil)
        #expect(
            Self.code { try Self.heard(good, topic: "espresense/devices/x/") }
                == .scannerMalformed)
        #expect(Self.code { try Self.heard(#"{"id":"tag"}"#) } == .fieldMissing)
        #expect(Self.code { try Self.heard(#"{"id":"tag","rssi":7}"#) } == .rssiOutOfRange)
        #expect(Self.code { try Self.heard("[]") } == .fieldWrongType)
        #expect(Self.code { try Self.heard("{") } == .truncated)
        #expect(Self.code { try Self.heard("") } == .bodyEmpty)
        let long = String(repeating: "x", count: 129)
        #expect(Self.code { try Self.heard(#"{"id":"\#(long)","rssi":-7}"#) } == .textTooLong)
    }

    @Test(
        "An id that many devices share, and an identity key, are no names of a device",
        arguments: ["apple:1005:9-12", "md:0006:29", "name:annas-phone", "irk:0001020304050607"])
    func kinds(id: String) throws {
        #expect(try Self.heard(#"{"id":"\#(id)","rssi":-70}"#) == nil)
        let heard = try Self.heard(#"{"id":"\#(id)","mac":"c0ffee123456","rssi":-70}"#)
        #expect(heard?.name == "c0:ff:ee:12:34:56")
    }

    @Test("The device of the topic counts where the message has no id")
    func topicAlone() throws {
        let heard = try Self.heard(
            #"{"rssi":-70.4}"#, topic: "home/devices/tile:C0FFEE123456/Living room")
        #expect(heard?.name == "c0:ff:ee:12:34:56")
        #expect(heard?.scanner == ScannerID("Living-room"))
        #expect(heard?.rssi == -70)
    }

    private static func post(_ members: String, secret: String = "s") throws -> MerakiPost {
        try MerakiPost(
            json: Array(
                #"{"secret":"\#(secret)","version":"3.0","type":"WiFi",\#(members)}"#.utf8),
            receivedAt: ForeignPayload.received, isSecret: { $0 == "s" })
    }

    @Test("A post of Meraki's with a wrong secret is not read further")
    func secret() {
        #expect(Self.code { try Self.post(#""data":7"#, secret: "t") } == .foreignSecretWrong)
        #expect(
            Self.code {
                try MerakiPost(
                    json: Array("{}".utf8), receivedAt: ForeignPayload.received,
                    isSecret: { _ in true })
            } == .foreignSecretWrong)
        #expect(Self.code { try Self.post(#""data":7"#) } == .fieldWrongType)
        #expect(Self.code { try Self.post(#""type":"Zigbee""#) } == .foreignVersion)
        #expect(Self.code { try Self.post(#""version":"2.0""#) } == .foreignVersion)
    }

    @Test("A bad observation is left out and counted, and the others count")
    func observations() throws {
        let good = #"{"apMac":"e0:cb:bc:00:00:01","rssi":-50}"#
        let records = [
            good, #"{"apMac":"e0:cb","rssi":-50}"#, #"{"apMac":"e0:cb:bc:00:00:01","rssi":-500}"#,
            "7",
        ]
        let post = try Self.post(
            #"""
            "data":{"observations":[
            {"clientMac":"18:fe:34:00:00:0a","locations":[
            {"time":"2026-11-21T23:59:20Z","rssiRecords":[\#(records.joined(separator: ","))]},
            {"time":"yesterday","rssiRecords":[\#(good)]},
            {"time":"2026-11-22T03:00:00Z","rssiRecords":[\#(good)]}, 7]},
            {"clientMac":"18fe3400000b","latestRecord":{"time":"2026-11-21T23:59:20Z",
            "nearestApMac":"e0:cb:bc:00:00:01","nearestApRssi":-60}},
            {"clientMac":"not-an-address","locations":[
            {"time":"2026-11-21T23:59:20Z","rssiRecords":[\#(good)]}]}, {}, 7]}
            """#)
        #expect(post.heard.map(\.name) == ["18:fe:34:00:00:0a", "18:fe:34:00:00:0b"])
        #expect(!post.heard.map(\.isAddress).contains(false))
        #expect(post.leftOut == 9)
    }

    @Test(
        "A body of FIND3's names a reading that can't be used, or says what to send",
        arguments: [
            (#"{"s":{"wifi":{"zz":-60}}}"#, "s.wifi.zz: none of the readings"),
            (
                #"{"s":{"bluetooth":{"02:00:00:00:00:01":-600}}}"#,
                "s.bluetooth.02:00:00:00:00:01: none of the readings"
            ),
            (#"{"s":{"wifi":{}},"gps":{"lat":0,"lon":0}}"#, "gps: it has no fix"),
            (#"{"s":{"wifi":{}}}"#, "s: send wifi, bluetooth or gps"),
        ])
    func nothingOfFind3(body: String, detail: String) {
        let fault = #expect(throws: WireFault.self) { try Self.find3(body) }
        #expect(fault?.code == .nothingHeard)
        #expect(fault?.detail.hasPrefix(detail) == true, "\(fault?.detail ?? "")")
    }

    private static func find3(_ body: String) throws -> ScanSubmission {
        try FIND3Data.submission(json: Array(body.utf8), receivedAt: ForeignPayload.received)
    }

    @Test("A body of FIND3's needs readings, and a time in milliseconds")
    func find3() throws {
        let heard = #""s":{"wifi":{"02:00:00:00:00:01":-50,"office":-40,"02:00:00:00:00:02":3}}"#
        let scan = try Self.find3("{\(heard)}")
        #expect(scan.wifi.count == 1 && scan.id == nil && scan.at == ForeignPayload.received)
        #expect(Self.code { try Self.find3(#"{"d":"a"}"#) } == .nothingHeard)
        #expect(Self.code { try Self.find3(#"{"t":1795305599,\#(heard)}"#) } == .timeOutOfRange)
        #expect(Self.code { try Self.find3(#"{"t":"now",\#(heard)}"#) } == .fieldWrongType)
        #expect(Self.code { try Self.find3(#"{"d":"???",\#(heard)}"#) } == .deviceMalformed)
        #expect(Self.code { try Self.find3(#"{"s":{"wifi":[]}}"#) } == .fieldWrongType)
        let retried = #"{"d":"a","f":"b","t":1795305599000,\#(heard)}"#
        #expect(try Self.find3(retried).id == (try Self.find3(retried).id))
        // Where the sender's token names site and device, the id is the same.
        let short = #"{"t":1795305599000,\#(heard)}"#
        #expect(try Self.find3(short).id == nil)
        let named = try FIND3Data.submission(
            json: Array(short.utf8), receivedAt: ForeignPayload.received, site: SiteID("b"),
            device: DeviceID("a"))
        #expect(named.id == (try Self.find3(retried).id))
    }

    @Test("Fewer than two senders with a strength say nothing")
    func geolocate() throws {
        let ask = { (body: String) in
            try GeolocateQuestion.submission(
                json: Array(body.utf8), receivedAt: ForeignPayload.received)
        }
        let one = #"{"macAddress":"02:00:00:00:00:01","signalStrength":-50}"#
        #expect(try ask("{}") == nil)
        #expect(try ask(#"{"wifiAccessPoints":[\#(one)]}"#) == nil)
        // The same twice is one.
        #expect(try ask(#"{"wifiAccessPoints":[\#(one),\#(one)]}"#) == nil)
        #expect(Self.code { try ask("no") } == .notJSON)
        #expect(Self.code { try ask("[]") } == .notAnObject)
        #expect(Self.code { try ask(#"{"wifiAccessPoints":7}"#) } == .fieldWrongType)
    }
}
