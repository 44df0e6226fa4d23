import Dispatch
import Testing

@testable import ScanIngest

@Suite struct LargeBodiesTests {
    @Test("A small body is parsed at once, a large one on another thread")
    func threads() {
        let bodies = LargeBodies()
        let (mayRead, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        bodies.read(bytes: LargeBodies.inlineBytes, of: "a") { isRead.signal() }
        #expect(isRead.wait(timeout: .now()) == .success)
        // The other thread waits for this one, so the body can't be parsed completely here.
        bodies.read(bytes: LargeBodies.inlineBytes + 1, of: "a") {
            if mayRead.wait(timeout: .now() + 30) == .success { isRead.signal() }
        }
        mayRead.signal()
        #expect(isRead.wait(timeout: .now() + 30) == .success)
    }

    @Test("A task waits for what was parsed")
    func waiting() async {
        for bytes in [1, LargeBodies.inlineBytes + 1] {
            let value = await LargeBodies().value(bytes: bytes, of: "a") { 7 }
            #expect(value == 7)
        }
    }
}
