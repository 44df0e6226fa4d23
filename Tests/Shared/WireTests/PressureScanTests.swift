import Events
import Testing
import Wire

@Suite("Air pressures in SubmissionDecoder") struct PressureScanTests {
    private func outcome(
        _ members: String, _ kind: SubmissionDecoder.Kind = .scan
    ) -> Result<ScanSubmission, WireFault> {
        let text =
            #"{"device": "pi-1", "at": "2026-11-21T08:00:00Z", "wifi": [], \#(members)}"#
        do throws(WireFault) {
            return .success(
                try SubmissionDecoder(kind).decodeOne(
                    Array(text.utf8), receivedAt: SampleEvents.scan.receivedAt))
        } catch {
            return .failure(error)
        }
    }

    private func fault(_ members: String) -> WireFault.Code? {
        if case .failure(let fault) = outcome(members) { fault.code } else { nil }
    }

    @Test(
        "an air pressure is read and written as it is",
        arguments: [("300", 300), ("1100", 1_100), ("1012.347", 1_012.347), ("1e3", 1_000)])
    func read(text: String, pressure: Double) throws {
        let scan = try outcome(#""steps": 1, "pressureHectopascals": \#(text)"#).get()
        #expect(scan.pressureHectopascals == pressure)
        let again = try SubmissionDecoder(.scan).decodeOne(
            scan.json, receivedAt: SampleEvents.scan.receivedAt)
        #expect(again.content == scan.content)
    }

    @Test("a survey carries it, and a scan without it is written without it")
    func survey() throws {
        let place = #""place": {"floor": "g", "x": 1, "y": 2}, "steps": 1"#
        let survey = try outcome(place + #", "pressureHectopascals": 987.5"#, .survey).get()
        #expect(survey.pressureHectopascals == 987.5)
        for none in ["", #", "pressureHectopascals": null"#] {
            let plain = try outcome(#""steps": 1"# + none).get()
            #expect(plain.pressureHectopascals == nil)
            #expect(!String(decoding: plain.json, as: UTF8.self).contains("pressure"))
        }
    }

    @Test(
        "an impossible air pressure is refused",
        arguments: [
            ("299.9", WireFault.Code.fieldOutOfRange), ("1100.1", .fieldOutOfRange),
            ("-1013", .fieldOutOfRange), ("101325", .fieldOutOfRange),
            (#""1013""#, .fieldWrongType), ("[1013]", .fieldWrongType),
        ])
    func faults(text: String, code: WireFault.Code) {
        #expect(fault(#""steps": 1, "pressureHectopascals": \#(text)"#) == code, "\(text)")
    }

    @Test("an air pressure alone shows no place, so such a scan says nothing")
    func alone() {
        #expect(fault(#""pressureHectopascals": 1013"#) == .nothingHeard)
    }
}
