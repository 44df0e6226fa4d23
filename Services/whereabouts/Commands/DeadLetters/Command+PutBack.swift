import EventLog
import Events
import Locator
import LogViews
import Postgres
import ServiceHost
import ServiceRuntime
import SiteEditor
import Wire

extension Command {
    /// The checks and repairs of the complete program, for site-editor's answers over HTTP.
    ///
    /// Each makes its own connections with the settings of all services, as the commands do, so
    /// that both find and do the same.
    static let upkeep: Upkeep = Upkeep(
        findings: { await doctorFindings(ServiceProgram.processEnvironment) },
        putBack: { letter in
            let host = try Host.make(
                environment: ServiceProgram.processEnvironment.merging(
                    ["WHEREABOUTS_LOG_LEVEL": "error"]) { $1 },
                service: "whereabouts dead-letters", settings: ServiceProgram.serviceSettings)
            let result: Result<Host.PutBackOutcome, any Error>
            do {
                var box = LetterBox()
                result = .success(try await apply(letter, host, &box, isNamed: true))
            } catch {
                result = .failure(error)
            }
            await host.log.close()
            await host.database?.close()
            return try result.get()
        })

    /// The topic that each processor reads.
    private static let inputs = [
        "scan-ingest": Topic.scansInbound.name, "locator": Topic.scans.name,
        "scan-ingest-sightings": Topic.sightings.name,
    ]

    /// Puts one letter's record back.
    ///
    /// - Parameter isNamed: the operator named this letter by its id. Then it is put back even if
    ///   the log no longer holds its record.
    static func apply(
        _ letter: DeadLettered, _ host: Host, _ box: inout LetterBox, isNamed: Bool
    ) async throws -> Host.PutBackOutcome {
        guard let consumer = letter.consumer, letter.stored != nil else { return .notWhole }
        guard consumer != LocatorDefinition.smoothingGroup else {
            return .refused(
                code: ProblemCode.consumerWrong.text,
                detail: "whoever reads \(letter.topic) would get the record twice; the position "
                    + "itself is there, and only its smoothed one is missing")
        }
        let view = views.values.map({ $0(host) }).first { $0.name == consumer }
        // Views of earlier releases read this topic. Its copy comes to them now.
        let isFormer = letter.topic == Topic.surveys.name
        guard
            isFormer
                || view?.topics.contains(letter.topic)
                    ?? (inputs[consumer] == letter.topic)
        else {
            return .refused(
                code: ProblemCode.consumerWrong.text,
                detail: "\(consumer) does not read \(letter.topic)")
        }
        switch try await host.original(of: letter) {
        case .there: break
        case .gone where isNamed: break
        case .gone:
            return .refused(
                code: ProblemCode.recordGone.text,
                detail: "the log does not hold the record any more, so it can't be compared: look "
                    + "at the letter (show), and apply it by its id")
        case .otherwise:
            return .refused(
                code: ProblemCode.letterWrong.text,
                detail: "the log never held this record, or holds another one at its offset")
        }
        if let view, !isFormer { return try await host.putBack(letter, to: view) }
        return try await host.putBack(letter, toProcessor: consumer, &box)
    }
}
