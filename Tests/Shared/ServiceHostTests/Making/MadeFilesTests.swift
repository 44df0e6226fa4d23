import Foundation
import HTTP
import SeededRandomness
import Testing

@testable import ServiceHost

@Suite struct MadeFilesTests {
    @Test("A file is made unless a plain list would have kept it", arguments: 0..<8)
    func kept(seed: Int) async throws {
        var random = SeededRandom(seed: seed)
        let files = MadeFiles<Int>("test", mostFiles: 5, mostBytes: 40)
        var plain: [(key: Int, bytes: Int)] = []
        for _ in 0..<300 {
            let (key, lasts) = (
                Int.random(in: 0..<9, using: &random), Int.random(in: 0..<4, using: &random) > 0
            )
            // A file of a key always has the same length.
            let length = key * 5
            let made = Counter()
            let file = try await files.file(key) {
                _ = made.add()
                return .success(
                    MadeFile([UInt8](repeating: UInt8(key), count: length), lasts: lasts))
            }
            #expect(file == [UInt8](repeating: UInt8(key), count: length))
            let isKept = plain.contains { $0.key == key }
            #expect((made.now == 0) == isKept)
            if !isKept, lasts { plain.append((key, length)) }
            while plain.count > 5 || plain.reduce(0, { $0 + $1.bytes }) > 40 { plain.removeFirst() }
            for key in 0..<9 {
                let file = await files[key]
                #expect((file != nil) == plain.contains { $0.key == key })
            }
        }
    }

    @Test("Requests that come at once wait for one work")
    func once() async throws {
        let files = MadeFiles<Int>("test", mostFiles: 5, mostBytes: 40)
        let begun = Counter()
        let gate = DispatchSemaphore(value: 0)
        let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await files.file(1) {
                        _ = begun.add()
                        gate.wait()
                        return .success(MadeFile([7]))
                    }
                }
            }
            gate.signal()
            return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: [7], count: 20) && begun.now == 1)
    }

    @Test("A problem reaches the caller and is not kept")
    func problem() async throws {
        let files = MadeFiles<Int>("test", mostFiles: 5, mostBytes: 40)
        await #expect(throws: Problem.cursorMalformed) {
            try await files.file(1) { .failure(Problem.cursorMalformed) }
        }
        #expect(try await files.file(1) { .success(MadeFile([2])) } == [2])
    }
}
