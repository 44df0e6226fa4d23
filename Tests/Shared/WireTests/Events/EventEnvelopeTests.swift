import EventLog
import Events
import Testing
import Wire

/// The record as the log would return it.
func stored(_ record: LogRecord) -> StoredRecord {
    StoredRecord(
        topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 0, key: record.key,
        value: record.value, headers: record.headers)
}

@Suite("EventEnvelope") struct EventEnvelopeTests {
    private func fault(_ pairs: [(StaticString, String)]) -> WireFault.Code? {
        var headers = LogHeaders()
        for (name, value) in pairs { headers.append(name, value) }
        do throws(WireFault) {
            _ = try EventEnvelope(headers: headers)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a scan's record carries the CloudEvents attributes in its headers")
    func attributes() {
        let record = SampleEvents.scan.record(
            source: "/scan-ingest",
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        #expect(record.topic == "whereabouts.scans")
        #expect(String(decoding: record.key, as: UTF8.self) == "bush-house/pi-0042")
        #expect(record.headers["ce_specversion"] == "1.0")
        #expect(record.headers["ce_id"] == "0193b2a4-7c3e-7a10-8000-00000000abcd")
        #expect(record.headers["ce_source"] == "/scan-ingest")
        #expect(record.headers["ce_type"] == "whereabouts.scan-recorded.v1")
        // By the server's clock. The scan was made 0.9 s before it was sent, and arrived 1 s into
        // the minute.
        #expect(record.headers["ce_time"] == "2026-11-21T08:00:00.100Z")
        #expect(record.headers["ce_site"] == "bush-house")
        #expect(record.headers["content-type"] == "application/json")
        #expect(
            record.headers["traceparent"]
                == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    }

    @Test("every kind of event has its key")
    func keys() {
        let keys = SampleEvents.all.map {
            "\($0.name) \(String(decoding: $0.event.recordKey, as: UTF8.self))"
        }
        let survey = "bush-house/\(SampleEvents.survey.scan.id)"
        #expect(keys.contains("survey-recorded \(survey)"))
        #expect(keys.contains("survey-recorded-metres \(survey)"))
        #expect(keys.contains("position-estimated bush-house/pi-0042"))
        #expect(keys.contains("site-published bush-house"))
        #expect(keys.contains("radio-map-announced bush-house"))
        #expect(keys.contains("fingerprint-built bush-house/south-6/S6.01-door"))
        #expect(keys.contains("token-issued \(SampleEvents.token.hash)"))
        #expect(keys.contains("dead-lettered whereabouts.scans-inbound/4/9000000000"))
    }

    @Test("headers that are missing, malformed or of a later version have their codes")
    func faults() {
        let good: [(StaticString, String)] = [
            ("ce_specversion", "1.0"), ("ce_id", "1"), ("ce_source", "/x"),
            ("ce_type", "whereabouts.scan-recorded.v1"),
        ]
        #expect(fault(good) == nil)
        #expect(fault(good + [("ce_unknown", "1"), ("other", "")]) == nil)
        #expect(fault([]) == .headersMissing)
        for missing in 0..<4 {
            let rest = good.indices.filter { $0 != missing }.map { good[$0] }
            #expect(fault(rest) == .headersMissing)
        }
        let base = [good[1], good[2]]
        #expect(fault(base + [("ce_specversion", "2.0"), good[3]]) == .versionTooNew)
        for (type, code) in [
            ("whereabouts.scan-recorded.v2", WireFault.Code.versionTooNew),
            ("whereabouts.scan-recorded.v99", .versionTooNew),
            ("whereabouts.scan-recorded.v0", .typeUnknown),
            ("whereabouts.scan-recorded", .typeUnknown),
            ("whereabouts.comet-seen.v1", .typeUnknown),
            ("", .typeUnknown), (".v2", .typeUnknown), ("whereabouts..v2", .typeUnknown),
        ] {
            #expect(fault(base + [good[0], ("ce_type", type)]) == code, "\(type)")
        }
        #expect(fault(good + [("ce_time", "yesterday")]) == .headerMalformed)
        #expect(fault(good + [("ce_site", "bush house")]) == .headerMalformed)
    }

    @Test("a record that is not this event has its code")
    func recordFaults() {
        func fault(_ change: (inout StoredRecord) -> Void) -> WireFault.Code? {
            var record = stored(SampleEvents.scan.record(source: "/x"))
            change(&record)
            do throws(WireFault) {
                _ = try ScanRecorded(record: record)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.value = nil } == .valueMissing)
        #expect(fault { $0.headers = LogHeaders() } == .headersMissing)
        #expect(
            fault { $0.headers = SampleEvents.site.record(source: "/x").headers } == .typeUnexpected
        )
        #expect(fault { $0.value = [] } == .bodyEmpty)
        #expect(fault { $0.value = [0xFF, 0x00] } == .notUTF8)
        #expect(fault { $0.value = Array("[]".utf8) } == .notAnObject)
        #expect(fault { $0.value = Array("{}".utf8) } == .fieldMissing)
    }

    @Test("a derived event has no time, and an unreadable record no site")
    func absent() {
        let fingerprint = SampleEvents.fingerprint.record(source: "/fingerprint-builder")
        #expect(fingerprint.headers["ce_time"] == nil)
        #expect(fingerprint.headers["ce_id"] == "bush-house/south-6/S6.01-door/7")
        let deadLetter = SampleEvents.deadLetter.record(source: "/scan-ingest")
        #expect(deadLetter.headers["ce_site"] == nil)
    }
}

@Suite("Topic") struct TopicTests {
    @Test("topics have the prefix, 12 partitions and a clean-up of their own")
    func specifications() {
        let topics = Topic.specifications()
        #expect(topics.count == 27)
        #expect(Set(topics.map(\.name)).count == topics.count)
        #expect(topics.allSatisfy { $0.name.hasPrefix("whereabouts.") && $0.partitions == 12 })
        #expect(Topic.scans.specification().cleanup == .delete(after: .seconds(604_800)))
        let longest = Topic.specifications(retention: [.visits: .seconds(90 * 86_400)])
        let erasures = longest.first { $0.name == Topic.erasures.name }
        #expect(erasures?.cleanup == .delete(after: .seconds(91 * 86_400)))
        #expect(Topic.site.specification().cleanup == .compact)
        #expect(Topic.surveys.specification().cleanup == .forever)
        let surveys = Topic.surveyRecords.specification()
        #expect(surveys.cleanup == .compact)
        let personal = Topic.specifications().filter { $0.longestCompactionLag != nil }
        #expect(personal.allSatisfy { $0.longestCompactionLag == .seconds(86_400) })
        #expect(
            personal.map(\.name).sorted()
                == [
                    Topic.locatorState, .outages, .sightingWindows, .smoothingWindows,
                    .surveyRecords, .timetables, .tokens,
                ].map(\.name).sorted())
        #expect(Topic.locatorState.specification().cleanup == .compact)
    }

    @Test("a retention replaces the default of topics that are deleted by age, and of no other")
    func retention() {
        let day = Duration.seconds(86_400)
        let topics = Topic.specifications(partitions: 3, retention: [.scans: day, .tokens: day])
        let byName = Dictionary(uniqueKeysWithValues: topics.map { ($0.name, $0) })
        #expect(byName["whereabouts.scans"]?.cleanup == .delete(after: day))
        #expect(byName["whereabouts.tokens"]?.cleanup == .compact)
        #expect(byName["whereabouts.scans"]?.partitions == 3)
    }
}
