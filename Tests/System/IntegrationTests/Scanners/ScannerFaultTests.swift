import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Tests/System/ScannerFault in its short form; a day of scans with 120 faults is a long test.
    @Suite("Faults of a scanner", .timeLimit(.minutes(10))) struct ScannerFaultTests {
        private static let short = [
            "--scans", "2000", "--cuts", "6", "--kills", "6", "--losses", "6",
        ]

        private func expectSuccess(_ run: PythonRun) {
            #expect(run.status == 0, "\(run.outcome)")
            print("scanner faults: \(run.said.split(separator: "\n").last ?? "")")
        }

        @Test(
            "Cuts, kills and losses of power cost at most scans of the last second",
            arguments: 1...2)
        func short(seed: Int) throws {
            expectSuccess(
                try PythonRun(
                    "ScannerFault/scanner_faults.py", Self.short + ["--seed", "\(seed)"]))
        }

        @Test("A lost scan, and a disk that is not told to keep scans, are noticed")
        func canaries() throws {
            for canary in ["--canary", "--blind"] {
                let run = try PythonRun("ScannerFault/scanner_faults.py", Self.short + [canary])
                #expect(run.status == 0, "\(canary): \(run.outcome)")
                #expect((run.result["wrong"] as? [String])?.isEmpty == false, "\(canary)")
            }
        }

        @Test("A day of scans with 50 cuts, 50 kills and 20 losses of power")
        func day() throws {
            expectSuccess(try PythonRun("ScannerFault/scanner_faults.py", []))
        }
    }
}
