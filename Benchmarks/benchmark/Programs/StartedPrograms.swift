import Foundation
import Synchronization

/// The programs that the benchmark has started and not ended itself, nor seen end well. If one of
/// them ends, it has failed, and the benchmark would wait for it in vain.
enum StartedPrograms {
    private static let programs = Mutex<[PinnedProgram]>([])

    static func add(_ program: PinnedProgram) { programs.withLock { $0.append(program) } }

    static func remove(_ program: PinnedProgram) {
        programs.withLock { $0.removeAll { $0.isSame(as: program) } }
    }

    /// How each of them is, and the end of its output.
    static var report: String {
        programs.withLock(\.self).map(\.report).joined(separator: "\n")
    }

    /// Fails the benchmark when one of them ends with a fault. It has a thread of its own, since
    /// benchmarks block the threads of the cooperative pool.
    static func watch() {
        Thread.detachNewThread {
            while true {
                usleep(300_000)
                let failed = programs.withLock { $0.first { $0.hasFailed } }
                if let failed { Benchmark.fail(BenchmarkFault("\(failed.name) ended by itself")) }
            }
        }
    }
}
