import EventLog
import Events
import Positioning
import SeededRandomness
import Testing
import Wire

@Suite("SubmissionDecoder") struct SubmissionDecoderTests {
    static let receivedAt = SampleEvents.scan.receivedAt

    /// A scan in which this replaces a member, or stands beside the others.
    private func scan(_ extra: String = "") -> String {
        let members = extra.isEmpty ? "" : ", " + extra
        return
            #"{"device": "pi-1", "at": "2026-11-21T08:00:00Z", "wifi": [], "steps": 1\#(members)}"#
    }

    private func outcome(
        _ text: String, _ kind: SubmissionDecoder.Kind = .scan
    ) -> Result<ScanSubmission, WireFault> {
        do throws(WireFault) {
            return .success(
                try SubmissionDecoder(kind).decodeOne(
                    Array(text.utf8), receivedAt: Self.receivedAt))
        } catch {
            return .failure(error)
        }
    }

    private func fault(_ text: String, _ kind: SubmissionDecoder.Kind = .scan) -> WireFault? {
        if case .failure(let fault) = outcome(text, kind) { fault } else { nil }
    }

    private func bodyFault(_ bytes: [UInt8]) -> WireFault.Code? {
        do throws(WireFault) {
            _ = try SubmissionDecoder(.scan).decode(body: bytes, receivedAt: Self.receivedAt)
            return nil
        } catch {
            return error.code
        }
    }

    private func batch(_ text: String) throws -> [Result<ScanSubmission, RejectedScan>] {
        try SubmissionDecoder(.scan).decode(body: Array(text.utf8), receivedAt: Self.receivedAt)
    }

    @Test("the documented scan is read completely")
    func documented() throws {
        let text = """
            {"id": "0193b2a4-7c3e-7a10-8000-00000000abcd", "scanner": "pi-0042",
             "device": "pi-0042", "site": "bush-house", "at": "2026-11-21T08:00:00.000Z",
             "sentAt": "2026-11-21T08:00:00.900Z",
             "wifi": [{"bssid": "00:62:ec:fd:ec:50", "ssid": "eduroam", "rssi": -62,
                       "frequency": 5180, "ageMilliseconds": 120}],
             "ble": [{"uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": 80, "minor": 3,
                      "rssi": -71, "txPower": -59}],
             "steps": 4, "headingDegrees": 87.0, "speedMetresPerSecond": 1.2,
             "magnetic": [-21.4, 3.0, -41.2],
             "gnss": {"latitude": 51.5129, "longitude": -0.1167, "accuracyMetres": 12.0}}
            """
        var expected = SampleEvents.scan
        expected.wifi = [expected.wifi[0]]
        expected.ble = [expected.ble[0]]
        expected.heardBy = []
        let submission = try outcome(text).get()
        #expect(
            submission.recorded(
                id: SampleEvents.scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"))
                == expected)
        #expect(submission.id == SampleEvents.scanID)
        #expect(submission.site == SiteID("bush-house"))
    }

    @Test("missing members are left for the service, or derived from the others")
    func leftOut() throws {
        let bare = try outcome(#"{"steps": 1}"#).get()
        #expect(bare.id == nil && bare.site == nil && bare.device == nil && bare.scanner == nil)
        #expect(bare.at == Self.receivedAt && bare.sentAt == nil && bare.wifi.isEmpty)
        let device = try outcome(#"{"device": "d", "steps": 1}"#).get()
        #expect(device.scanner == ScannerID("d"))
        let scanner = try outcome(#"{"scanner": "s", "id": null, "steps": 1}"#).get()
        #expect(scanner.device == DeviceID("s"))
        let sent = try outcome(#"{"sentAt": "1970-01-01T00:00:09Z", "steps": 1}"#).get()
        #expect(sent.correctedAt == Self.receivedAt)
        let filed = try outcome(#"{"sentAt": "1970-01-01T00:00:09Z"}"#, .file).get()
        #expect(filed.at == Timestamp(milliseconds: 9_000) && filed.sentAt == filed.at)
        let filled = bare.recorded(
            id: SampleEvents.scanID, site: SiteID("s"), device: DeviceID("token's"))
        #expect(filled.scanner == ScannerID("token's"))
    }

    @Test("a retry is the same scan, in ingest and as the locator reads it")
    func retries() throws {
        func hashes(_ times: String, arrivingAfter seconds: Int64 = 0) throws -> [UInt64] {
            let body = #"{"device": "d", "wifi": [{"bssid": "00:62:ec:fd:ec:50", "rssi": -62}]"#
            let submission = try SubmissionDecoder(.scan).decodeOne(
                Array("\(body)\(times)}".utf8),
                receivedAt: Self.receivedAt.advanced(byMicroseconds: seconds * 1_000_000))
            let scan = submission.recorded(
                id: SampleEvents.scanID, site: SiteID("s"), device: DeviceID("d"))
            let record = scan.record(source: "/scan-ingest")
            let read = try ScanRecorded(json: record.value ?? [])
            return [ContentHash.of(scan), ContentHash.of(read)]
        }
        let first = try hashes(#", "sentAt": "2026-11-21T08:00:00.100Z""#)
        let again = try hashes(#", "sentAt": "2026-11-21T08:00:07.300Z""#, arrivingAfter: 7)
        #expect(first[0] == first[1] && first == again)
        let timed = try hashes(
            #", "at": "2026-11-21T08:00:00.100Z", "sentAt": "2026-11-21T08:00:00.100Z""#)
        let timedAgain = try hashes(
            #", "at": "2026-11-21T08:00:00.100Z", "sentAt": "2026-11-21T08:00:07.300Z""#,
            arrivingAfter: 7)
        #expect(timed[0] == timed[1] && timed == timedAgain)
        let other = try hashes(
            #", "at": "2026-11-21T08:00:05.000Z", "sentAt": "2026-11-21T08:00:07.300Z""#)
        #expect(other != timed)
    }

    @Test("a clock that was never set is corrected by the time of sending")
    func skew() throws {
        let text = #"{"at": "1970-01-01T00:01:00Z", "sentAt": "1970-01-01T00:01:30Z", "steps": 1}"#
        let scan = try outcome(text).get()
        #expect(scan.correctedAt == Self.receivedAt.advanced(byMicroseconds: -30_000_000))
        #expect(fault(#"{"at": "1970-01-01T00:01:00Z", "steps": 1}"#)?.code == .timeOutOfRange)
        #expect(fault(#"{"at": "2026-11-21T09:00:00Z", "steps": 1}"#) == nil)
        #expect(fault(#"{"at": "2026-11-21T09:00:02Z", "steps": 1}"#)?.code == .timeOutOfRange)
        #expect(fault(#"{"at": "1999-12-31T23:59:59Z", "steps": 1}"#)?.code == .timeOutOfRange)
        #expect(fault(#"{"at": "1999-12-31T23:59:59Z", "steps": 1}"#, .file) == nil)
        let overflow = """
            {"at": "9999-12-31T23:59:59Z", "sentAt": "0000-01-01T00:00:00Z", "steps": 1}
            """
        #expect(fault(overflow)?.code == .timeOutOfRange)
    }

    @Test(
        "a fault has its stable code and names the field",
        arguments: [
            (#""id": "17""#, "id-malformed", "id"), (#""id": 17"#, "field-wrong-type", "id"),
            (#""site": "bush house""#, "site-malformed", "site"),
            (#""device": """#, "device-malformed", "device"),
            (#""scanner": "a/b""#, "scanner-malformed", "scanner"),
            (#""at": "yesterday""#, "time-malformed", "at"),
            (#""at": 1795248000"#, "field-wrong-type", "at"),
            (#""sentAt": "2026-11-21T08:00:00""#, "time-malformed", "sentAt"),
            (#""wifi": {}"#, "field-wrong-type", "wifi"),
            (#""wifi": [1]"#, "field-wrong-type", "wifi[0]"),
            (#""wifi": [{"rssi": -5}]"#, "field-missing", "wifi[0].bssid"),
            (#""wifi": [{"bssid": "00:62:ec:fd:ec:50"}]"#, "field-missing", "wifi[0].rssi"),
            (wifi("rssi", "1"), "rssi-out-of-range", "wifi[0].rssi"),
            (wifi("rssi", "-121"), "rssi-out-of-range", "wifi[0].rssi"),
            (wifi("rssi", "-1e300"), "rssi-out-of-range", "wifi[0].rssi"),
            (wifi("rssi", "18446744073709551615"), "rssi-out-of-range", "wifi[0].rssi"),
            (wifi("rssi", "-62.5"), "field-wrong-type", "wifi[0].rssi"),
            (wifi("rssi", "\"-62\""), "field-wrong-type", "wifi[0].rssi"),
            (wifi("bssid", "\"00:62:ec:fd:ec\""), "bssid-malformed", "wifi[0].bssid"),
            (wifi("bssid", "\"00:62:ec:fd:ec:5g\""), "bssid-malformed", "wifi[0].bssid"),
            (wifi("bssid", "\"00:62:ec-fd:ec:50\""), "bssid-malformed", "wifi[0].bssid"),
            (wifi("bssid", "6"), "field-wrong-type", "wifi[0].bssid"),
            (
                wifi("ssid", "\"\(String(repeating: "x", count: 33))\""), "ssid-too-long",
                "wifi[0].ssid"
            ),
            (
                wifi("ssid", "\"\(String(repeating: "😀", count: 33))\""), "ssid-too-long",
                "wifi[0].ssid"
            ),
            (wifi("ssid", "{}"), "field-wrong-type", "wifi[0].ssid"),
            (wifi("frequency", "-1"), "field-out-of-range", "wifi[0].frequency"),
            (wifi("ageMilliseconds", "\"1\""), "field-wrong-type", "wifi[0].ageMilliseconds"),
            (#""ble": [{"rssi": -1}]"#, "field-missing", "ble[0]"),
            (#""ble": [{"uuid": "f", "rssi": -1}]"#, "uuid-malformed", "ble[0].uuid"),
            (#""ble": [{"address": "f", "rssi": -1}]"#, "address-malformed", "ble[0].address"),
            (#""ble": [{"major": 65536}]"#, "field-out-of-range", "ble[0].major"),
            (#""heardBy": [{"rssi": -1}]"#, "field-missing", "heardBy[0].scanner"),
            (
                #""heardBy": [{"scanner": "n", "rssi": 9}]"#, "rssi-out-of-range",
                "heardBy[0].rssi"
            ),
            (#""steps": -1"#, "field-out-of-range", "steps"),
            (#""headingDegrees": 361"#, "field-out-of-range", "headingDegrees"),
            (#""speedMetresPerSecond": "1""#, "field-wrong-type", "speedMetresPerSecond"),
            (#""magnetic": [1, 2]"#, "field-out-of-range", "magnetic"),
            (#""magnetic": [1, "2", 3]"#, "field-wrong-type", "magnetic[1]"),
            (
                #""gnss": {"latitude": 91, "longitude": 0}"#, "coordinates-out-of-range",
                "gnss.latitude"
            ),
            (
                #""gnss": {"latitude": 9, "longitude": -181}"#, "coordinates-out-of-range",
                "gnss.longitude"
            ),
            (#""gnss": {"latitude": 9}"#, "field-missing", "gnss.longitude"),
            (#""place": {"floor": "1"}"#, "place-malformed", "place"),
            (#""place": {"x": 1, "y": 2}"#, "place-malformed", "place"),
            (#""place": {"floor": "1", "x": 1}"#, "place-malformed", "place"),
            (#""place": "S6.01""#, "field-wrong-type", "place"),
            (#""place": {"location": "a b"}"#, "identifier-malformed", "place.location"),
            (
                #""place": {"floor": "1", "x": 2e6, "y": 0}"#, "coordinates-out-of-range",
                "place.x"
            ),
            (
                #""place": {"floor": "1", "latitude": 1, "longitude": 999}"#,
                "coordinates-out-of-range", "place.longitude"
            ),
            (#""truth": {"floor": "1", "x": 1}"#, "field-missing", "truth.y"),
        ])
    func faults(member: String, code: String, path: String) {
        let found = fault(scan(member))
        #expect(found?.code.text == code)
        #expect(found?.path == path)
    }

    private static func wifi(_ name: String, _ value: String) -> String {
        // The member comes last: of two with one name, the last counts.
        #""wifi": [{"bssid": "00:62:ec:fd:ec:50", "rssi": -62, "\#(name)": \#(value)}]"#
    }

    @Test("values at the limits are accepted")
    func limits() throws {
        let members = [
            Self.wifi("rssi", "-120"), Self.wifi("rssi", "0"), Self.wifi("rssi", "-62.0"),
            Self.wifi("ssid", "\"\(String(repeating: "x", count: 32))\""),
            Self.wifi("ssid", "\"\(String(repeating: "😀", count: 32))\""),
            Self.wifi("bssid", "\"FF-ff-00-0A-a0-99\""), #""headingDegrees": 360"#,
        ]
        for member in members { #expect(fault(scan(member)) == nil, "\(member)") }
        let reading = #"{"bssid":"00:62:ec:fd:ec:50","rssi":-62}"#
        for (count, code) in [(1_000, nil), (1_001, WireFault.Code.tooManyReadings)] {
            let many = repeatElement(reading, count: count).joined(separator: ",")
            #expect(fault(scan("\"wifi\": [\(many)]"))?.code == code)
            #expect(fault(scan("\"heardBy\": [\(many)]"))?.code == (code ?? .fieldMissing))
        }
    }

    @Test("a survey needs a place, a scan does not")
    func places() throws {
        #expect(fault(scan(), .survey)?.code == .placeMissing)
        #expect(fault(scan(#""place": null"#), .survey)?.code == .placeMissing)
        let places: [(String, SurveyPlace)] = [
            (#"{"location": "door"}"#, .location(LocationID("door"))),
            (
                #"{"floor": "s6", "x": 12.0, "y": 3.5}"#,
                .metres(floor: FloorID("s6"), x: 12, y: 3.5)
            ),
            (
                #"{"floor": "s6", "latitude": 51.5, "longitude": -0.1}"#,
                .geographic(floor: FloorID("s6"), latitude: 51.5, longitude: -0.1)
            ),
        ]
        for (text, place) in places {
            #expect(try outcome(scan("\"place\": \(text)"), .survey).get().place == place)
        }
    }

    @Test("an unusable body has its code")
    func bodies() {
        #expect(bodyFault([]) == .bodyEmpty)
        #expect(bodyFault(Array(" \n\n ".utf8)) == .bodyEmpty)
        #expect(bodyFault(Array("[]".utf8)) == .bodyEmpty)
        #expect(bodyFault(Array("hello".utf8)) == .notJSON)
        #expect(bodyFault(Array("17".utf8)) == .notAnObject)
        #expect(bodyFault(Array(scan().utf8.dropLast())) == .truncated)
        #expect(bodyFault([0x7B, 0x22, 0xFF, 0x22, 0x7D]) == .notUTF8)
        #expect(bodyFault(Array(scan("\"steps\": 1e400").utf8)) == .numberOutOfRange)
        let deep = String(repeating: "[", count: 40) + "1" + String(repeating: "]", count: 40)
        #expect(bodyFault(Array(deep.utf8)) == .tooDeep)
    }

    @Test("one bad scan in a batch of 100 names its index, and the others are accepted")
    func batches() throws {
        var scans = (0..<100).map { _ in scan() }
        scans[41] = scan(Self.wifi("rssi", "5"))
        for body in ["[" + scans.joined(separator: ",") + "]", scans.joined(separator: "\n")] {
            let outcomes = try batch(body)
            #expect(outcomes.count == 100)
            for (index, outcome) in outcomes.enumerated() {
                if case .failure(let rejected) = outcome {
                    #expect(index == 41 && rejected.index == 41)
                    #expect(rejected.fault.code == .rssiOutOfRange)
                    #expect(rejected.fault.detail.hasPrefix("wifi[0].rssi: 5 dBm"))
                } else {
                    #expect(index != 41)
                }
            }
        }
    }

    @Test("an element that is not an object is one rejected scan")
    func elements() throws {
        let outcomes = try batch("[\(scan()), 7]")
        guard case .failure(let rejected) = outcomes[1] else {
            Issue.record("7 is no scan")
            return
        }
        #expect(rejected.fault.code == .notAnObject)
    }

    @Test("lines are told apart from one document, and a broken line is one rejected scan")
    func lines() throws {
        func codes(_ text: String) throws -> [String] {
            try batch(text).map { outcome in
                switch outcome {
                case .success: "ok"
                case .failure(let rejected): rejected.fault.code.text
                }
            }
        }
        #expect(try codes("\(scan())\n\(scan())\n") == ["ok", "ok"])
        #expect(try codes("\(scan())\r\n\r\n\(scan())") == ["ok", "ok"])
        #expect(try codes("\(scan())\n{\"id\": \n\(scan())") == ["ok", "truncated", "ok"])
        #expect(try codes("{\"id\"}\n\(scan())") == ["not-json", "ok"])
        #expect(try codes("{\"id\":\n\(scan())") == ["truncated", "ok"])
        #expect(try codes("{\n\"device\": \"d\",\n\"wifi\": [\n],\n\"steps\": 1\n}") == ["ok"])
        #expect(try codes("{\"wifi\":[\n{\"bssid\":\"00:62:ec:fd:ec:50\",\"rssi\":-1}]}") == ["ok"])
        #expect(try codes("\(scan())\n") == ["ok"])
        let forced = try SubmissionDecoder(.scan).decode(
            body: Array("17\n\(scan())".utf8), format: .lines, receivedAt: Self.receivedAt)
        #expect(forced.count == 2)
    }

    @Test("a scan without readings and sensor values is refused, and one with any is accepted")
    func heardNothing() throws {
        let begin = #"{"device": "d", "wifi": [], "speedMetresPerSecond": 1"#
        #expect(fault(begin + "}")?.code == .nothingHeard)
        #expect(fault("{}")?.code == .nothingHeard)
        let place = #", "place": {"location": "x"}}"#
        #expect(fault(begin + place, .survey)?.code == .nothingHeard)
        #expect(fault(begin + "}", .file) == nil)
        for something in [
            #""steps": 0"#, #""headingDegrees": 0"#, #""magnetic": [1, 2, 3]"#,
            #""gnss": {"latitude": 51, "longitude": 0}"#,
            #""ble": [{"address": "00:62:ec:fd:ec:50", "rssi": -62}]"#,
            #""heardBy": [{"scanner": "s", "rssi": -62}]"#,
        ] {
            #expect(fault("\(begin), \(something)}")?.code != .nothingHeard, "\(something)")
        }
    }

    @Test("the last of two members with one name counts, as in JavaScript")
    func twice() throws {
        let scan = try outcome(#"{"device": "a", "steps": 1, "device": "b", "steps": 2}"#).get()
        #expect(scan.device == DeviceID("b") && scan.steps == 2)
    }

    @Test("a batch may have 1,000 scans and no more")
    func batchLimit() throws {
        for separator in [",", "\n"] {
            for (count, isTaken) in [(1_000, true), (1_001, false)] {
                let joined = repeatElement(#"{"steps": 1}"#, count: count).joined(
                    separator: separator)
                let body = separator == "," ? "[\(joined)]" : joined
                let code = bodyFault(Array(body.utf8))
                #expect(code == (isTaken ? nil : .batchTooLarge))
            }
        }
    }
}

@Suite("HardwareAddress as text") struct HardwareAddressTextTests {
    @Test("an address is read as it was written")
    func roundTrip() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1_000 {
            let address = HardwareAddress(value: random.next())
            #expect(HardwareAddress(address.text) == address)
        }
        #expect(HardwareAddress(value: 0x0062_ecfd_ec50).text == "00:62:ec:fd:ec:50")
    }

    @Test(
        "any other text is not an address",
        arguments: [
            "", "00:62:ec:fd:ec", "00:62:ec:fd:ec:50:", "0062ecfdec50", "00 62 ec fd ec 50",
            "00:62:ec:fd:ec-50", "0g:62:ec:fd:ec:50", "00:62:ec:fd:ec:5:", "+0:62:ec:fd:ec:50",
        ])
    func malformed(text: String) {
        #expect(HardwareAddress(text) == nil)
    }

    @Test("only hexadecimal digits are digits, and only two bytes are separators")
    func everyByte() {
        let good = Array("0a:1B:2c:3D:4e:5F".utf8)
        for position in good.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = good
                bytes[position] = byte
                let isDigit = Character(Unicode.Scalar(byte)).isHexDigit && byte < 128
                let isExpected =
                    position % 3 == 2 ? byte == UInt8(ascii: ":") : isDigit
                let read = bytes.withUnsafeBufferPointer { HardwareAddress(utf8: $0) }
                #expect((read != nil) == isExpected, "\(byte) at \(position)")
            }
        }
    }
}
