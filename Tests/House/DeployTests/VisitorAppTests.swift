import Foundation
import Testing

@Suite("The visitor's app") struct VisitorAppTests {
    @Test("its files are of 2018, its languages have equal keys, and no sentence is in the code")
    func files() throws {
        let script = DeployTests.root.appending(path: "Tests/House/VisitorApp/app_test.py").path
        let (status, output) = try DeployTests.run(["python3", script], environment: [:])
        #expect(status == 0, "\(output)")
    }
}
