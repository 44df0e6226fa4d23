import Foundation
import Testing

@Suite("The visitor's app") struct VisitorAppTests {
    @Test("its files are of 2018, its languages have equal keys, and no sentence is in the code")
    func files() throws { try passes("app_test.py") }

    @Test("its tests in browsers go on if one browser does not start, and say which and why")
    func workers() throws { try passes("workers_test.py") }

    private func passes(_ name: String) throws {
        let script = DeployTests.root.appending(path: "Tests/House/VisitorApp/\(name)").path
        let (status, output) = try DeployTests.run(["python3", script], environment: [:])
        #expect(status == 0, "\(output)")
    }
}
