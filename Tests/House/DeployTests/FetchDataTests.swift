import Foundation
import Testing

@Suite("Fetching public data") struct FetchDataTests {
    @Test("deploy/fetch-data fetches missing files and sets aside files with a wrong SHA-256")
    func fetching() throws {
        let script = DeployTests.root.appending(path: "Tests/House/fetch_data_test.py").path
        let (status, output) = try DeployTests.run(["python3", script], environment: [:])
        #expect(status == 0, "\(output)")
    }
}
