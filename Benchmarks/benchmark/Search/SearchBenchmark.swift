import Foundation
import SiteSearch

/// Measures searches with typing errors among 10,000 entries with names in three languages, one
/// after the other. The peer is PostgreSQL's pg_trgm, with the fastest of three methods.
struct SearchBenchmark {
    private static let questions = 500
    private static let seed = 23

    let options: BenchmarkOptions

    func run() async throws {
        let campus = SearchCampus(seed: Self.seed)
        let questions = campus.questions(Self.questions, seed: Self.seed + 1)
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-search-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let began = processorSeconds()
        let index = SearchIndex(campus.entries)
        let built = (processorSeconds() - began) * 1e3
        note(
            String(
                format: "%d entries, %d words, index built in %.0f ms", campus.entries.count,
                index.wordCount, built))
        let postgres = try await SearchPostgres(campus.entries, in: directory)
        defer { postgres.stop() }
        let method = try await fastest(postgres, questions)
        let first = try answer(questions, from: index)
        describe("ours", first.milliseconds, first.recall)
        describe("ours, processor time", first.processorMilliseconds, first.recall)

        var comparison = Comparison(
            "search", unit: "milliseconds per query, p99",
            peerName: "PostgreSQL's pg_trgm (\(method.rawValue))")
        for _ in 0..<options.pairs {
            let ours = try answer(questions, from: index)
            let peer = try await postgres.answer(questions, method)
            comparison.add(
                ours: ours.milliseconds.share(0.99), peer: peer.milliseconds.share(0.99))
        }
        note("ratio: our time for one of the peer's; ours is to be at most 5 ms")
        comparison.report()
    }

    private func answer(
        _ questions: [(text: String, id: String)], from index: SearchIndex
    ) throws -> (milliseconds: [Double], processorMilliseconds: [Double], recall: Double) {
        var milliseconds: [Double] = []
        var processorMilliseconds: [Double] = []
        var hits = 0
        for question in questions {
            let (began, beganBusy) = (ContinuousClock.now, processorSeconds())
            let page = index.find(try SearchQuery(question.text, limit: 20))
            processorMilliseconds.append((processorSeconds() - beganBusy) * 1e3)
            milliseconds.append((ContinuousClock.now - began) / .milliseconds(1))
            if page.results.prefix(5).contains(where: { $0.entry.id == question.id }) { hits += 1 }
        }
        return (
            milliseconds.sorted(), processorMilliseconds.sorted(),
            Double(hits) / Double(questions.count)
        )
    }

    /// The method with the smallest 99th percentile in one round of all queries.
    private func fastest(
        _ postgres: SearchPostgres, _ questions: [(text: String, id: String)]
    ) async throws -> SearchPostgres.Method {
        var best: (method: SearchPostgres.Method, milliseconds: Double)?
        for method in SearchPostgres.Method.allCases {
            _ = try await postgres.answer(Array(questions.prefix(20)), method)
            let (milliseconds, recall) = try await postgres.answer(questions, method)
            describe("pg_trgm, \(method.rawValue)", milliseconds, recall)
            let p99 = milliseconds.share(0.99)
            if best.map({ p99 < $0.milliseconds }) ?? true { best = (method, p99) }
        }
        return best?.method ?? .similarity
    }

    private func describe(_ name: String, _ milliseconds: [Double], _ recall: Double) {
        note(
            String(
                format: "%@: %.3f ms median, %.3f p99; the right entry is among the first five for "
                    + "%.1f %%", name, milliseconds.share(0.5), milliseconds.share(0.99),
                recall * 100))
    }
}
