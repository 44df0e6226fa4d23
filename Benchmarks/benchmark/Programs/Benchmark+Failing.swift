import Foundation
import Synchronization

extension Benchmark {
    private static let hasFailed = Mutex(false)

    /// Prints the error and how the started programs are, and ends the benchmark.
    static func fail(_ error: any Error) -> Never {
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        // The first failure is the cause of others, and ends the process.
        while !isFirst { sleep(60) }
        let report = StartedPrograms.report
        if !report.isEmpty { note(report) }
        note("benchmark \(CommandLine.arguments.dropFirst().first ?? "") failed: \(error)")
        exit(1)
    }

    /// Runs work beside the measurement. If it fails, so does the benchmark, at once: the
    /// measurement would wait for its results in vain.
    @discardableResult
    static func beside(
        _ work: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, Never> {
        Task {
            do { try await work() } catch  where !Task.isCancelled { fail(error) } catch {}
        }
    }
}
