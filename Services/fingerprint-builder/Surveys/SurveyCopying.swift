import EventLog
import ServiceHost
import ServiceRuntime
import Wire

/// Copies the topic `surveys` of earlier releases to `survey-records`, each survey once. It goes on
/// for as long as a scan-ingest of an earlier release may still run.
enum SurveyCopying {
    static let group = "fingerprint-builder-surveys"

    static func component(_ host: Host) -> any Component {
        let processor = Processor<Void>(
            log: host.log,
            configuration: .init(group: group, input: Topic.surveys.name, stateTopic: nil),
            emptyState: { _ in }, restore: { _, _ in },
            work: { _, records in copies(of: records) },
            deadLetters: host.deadLetters(of: group, source: MapBuilder.source),
            notices: host.notices)
        return host.consumer("former-surveys") { try await processor.run() }
    }

    static func copies(of records: [StoredRecord]) -> ProcessorOutputs {
        var outputs = ProcessorOutputs()
        for record in records {
            do throws(WireFault) {
                outputs.append(try FormerSurveyOffset.copy(of: record), for: record)
            } catch {
                outputs.setAside(record, code: error.code.text, detail: error.detail)
            }
        }
        return outputs
    }
}
