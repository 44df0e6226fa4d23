import EventLog
import Events
import ServiceHost
import Wire

/// Takes what producers wrote to `scans-inbound` through the same checks as HTTP: what is good is
/// re-keyed and appended to `scans` or `surveys`, what is not is set aside, in one transaction with
/// the offsets.
struct InboundScans: Sendable {
    let intake: ScanIntake
    let sender: InboundSender

    /// The tables of sites and tokens are read from the log still.
    struct NotReady: CausedFault {
        var cause: FaultCause { .world }
    }

    func work(_ quotas: inout InboundQuotas, _ records: [StoredRecord]) throws -> [LogRecord] {
        let host = intake.host
        guard host.sites.isReady, host.tokens.isReady else { throw NotReady() }
        return records.map { record in
            do throws(ScanIntake.Refusal) {
                return try accepted(record, &quotas)
            } catch {
                return host.deadLetter(
                    record, code: error.code, detail: error.detail, source: ScanIntake.source)
            }
        }
    }

    private func accepted(
        _ record: StoredRecord, _ quotas: inout InboundQuotas
    ) throws(ScanIntake.Refusal) -> LogRecord {
        guard let value = record.value else {
            throw .init(status: 400, code: "value-missing", detail: "the record has no value")
        }
        let caller = try sender.caller(record)
        // The log has taken the record already and can't send it back. Waiting would stop the partition for all
        // others, so it is set aside whole.
        guard
            quotas.take(
                caller.id, caller.sendingQuota, bytes: value.count,
                atMicroseconds: record.appendedAtMicroseconds)
        else {
            throw .init(
                status: 429, code: "quota-exceeded", detail: "the token has sent too many records")
        }
        var submission: ScanSubmission
        do throws(WireFault) {
            // A file's line may be a scan or a survey; its time is checked like any other's.
            submission = try SubmissionDecoder(.scan).decodeOne(
                value, receivedAt: Timestamp(microseconds: record.appendedAtMicroseconds))
        } catch {
            throw .init(status: 400, code: error.code.rawValue, detail: error.detail)
        }
        submission.id = submission.id ?? derivedID(record)
        let kind: ScanIntake.Kind = submission.place == nil ? .scan : .survey
        return try intake.accept(
            submission, kind: kind, caller: caller,
            traceparent: record.headers["traceparent"]
        ).get().record
    }

    /// Of a signed record that brings no id.
    private func derivedID(_ record: StoredRecord) -> EventID? {
        (try? RecordSignature(headers: record.headers))?.derivedID
    }
}
