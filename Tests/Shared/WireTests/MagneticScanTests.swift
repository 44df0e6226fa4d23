import Events
import Testing
import Wire

@Suite("Magnetic fields in SubmissionDecoder") struct MagneticScanTests {
    private func scan(_ members: String) -> String {
        #"{"device": "pi-1", "at": "2026-11-21T08:00:00Z", "wifi": [], "steps": 1, \#(members)}"#
    }

    private func outcome(_ text: String) -> Result<ScanSubmission, WireFault> {
        do throws(WireFault) {
            return .success(
                try SubmissionDecoder(.scan).decodeOne(
                    Array(text.utf8), receivedAt: SampleEvents.scan.receivedAt))
        } catch {
            return .failure(error)
        }
    }

    private func fault(_ text: String) -> WireFault? {
        if case .failure(let fault) = outcome(text) { fault } else { nil }
    }

    @Test("a stretch of magnetic field is read, with gravity and steps or without")
    func magnetic() throws {
        let text = scan(
            #""magneticSamples": [[0, 1.5, -2, 40.25], [40, 1, -2, 40, 0, 0.5, -9.8]], "#
                + #""stepsAt": [7, 9]"#
        )
        let read = try outcome(text).get()
        #expect(
            read.magneticSamples == [
                MagneticSample(
                    atMilliseconds: 0, field: MagneticField(x: 1.5, y: -2, z: 40.25)),
                MagneticSample(
                    atMilliseconds: 40, field: MagneticField(x: 1, y: -2, z: 40),
                    gravity: MagneticField(x: 0, y: 0.5, z: -9.8)),
            ])
        #expect(read.stepsAtMilliseconds == [7, 9])
    }

    @Test(
        "impossible magnetic samples are refused",
        arguments: [
            (#""magneticSamples": [[0, 1, 2]]"#, WireFault.Code.fieldOutOfRange),
            (#""magneticSamples": [[0, 1, 2, 3, 4]]"#, .fieldOutOfRange),
            (#""magneticSamples": [[-1, 1, 2, 3]]"#, .fieldOutOfRange),
            (#""magneticSamples": [[0, 1e7, 2, 3]]"#, .fieldOutOfRange),
            (#""magneticSamples": [[5, 1, 2, 3], [5, 1, 2, 3]]"#, .fieldOutOfRange),
            (#""magneticSamples": [[5, 1, 2, 3], [60006, 1, 2, 3]]"#, .fieldOutOfRange),
            (#""magneticSamples": [7]"#, .fieldWrongType),
            (#""magneticSamples": {}"#, .fieldWrongType),
            (#""stepsAt": [3, 2]"#, .fieldOutOfRange),
            (#""stepsAt": [0.5]"#, .fieldWrongType),
        ])
    func magneticFaults(text: String, code: WireFault.Code) {
        #expect(fault(scan(text))?.code == code, "\(text)")
    }

    @Test("a scan may have the most magnetic samples and steps, and not one more")
    func magneticLimits() {
        func samples(_ count: Int) -> String {
            let list = (0..<count).map { "[\($0), 1, 2, 3]" }.joined(separator: ",")
            return #""magneticSamples": [\#(list)]"#
        }
        func steps(_ count: Int) -> String {
            #""stepsAt": [\#((0..<count).map(String.init).joined(separator: ","))]"#
        }
        #expect(fault(scan(samples(ScanLimits.magneticSamples))) == nil)
        #expect(fault(scan(samples(ScanLimits.magneticSamples + 1)))?.code == .tooManyReadings)
        #expect(fault(scan(steps(ScanLimits.steps))) == nil)
        #expect(fault(scan(steps(ScanLimits.steps + 1)))?.code == .tooManyReadings)
    }
}
