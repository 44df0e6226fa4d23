import Dispatch
import Testing

@testable import ScanIngest

@Suite struct LargeBodiesTests {
    @Test("A small body is read at once, a large one not on the thread that answers all others")
    func threads() {
        let bodies = LargeBodies()
        let (mayRead, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        bodies.read(bytes: LargeBodies.inlineBytes, of: "a") { isRead.signal() }
        #expect(isRead.wait(timeout: .now()) == .success)
        // Only this thread lets it be read, so it can't be read to its end here.
        bodies.read(bytes: LargeBodies.inlineBytes + 1, of: "a") {
            if mayRead.wait(timeout: .now() + 30) == .success { isRead.signal() }
        }
        mayRead.signal()
        #expect(isRead.wait(timeout: .now() + 30) == .success)
    }
}
