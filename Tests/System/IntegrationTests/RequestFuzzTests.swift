import TestSupport
import Testing

extension IntegrationTests {
    /// The short form of Tests/System/RequestFuzz; the long one, of a million requests, is run by hand.
    @Suite("Requests from the description", .timeLimit(.minutes(8))) struct RequestFuzzTests {
        @Test("No request that the description allows, whole or with faults, harms anybody")
        func requests() throws {
            let run = try PythonRun(
                "RequestFuzz/request_fuzz.py",
                ["--requests", "4000", "--least", "3", "--workers", "2"])
            #expect(run.status == 0, "\(run.outcome)")
            print("request fuzz: \(run.said.split(separator: "\n").last ?? "")")
        }

        @Test("A survey whose zero byte stops all maps is noticed")
        func planted() throws {
            let run = try PythonRun(
                "RequestFuzz/request_fuzz.py",
                [
                    "--requests", "3000", "--least", "100", "--workers", "2", "--only",
                    "/v1/surveys", "--planted", "zero-bytes-in-ssids",
                ])
            #expect(run.status == 1, "\(run.outcome)")
        }
    }
}
