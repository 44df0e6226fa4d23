import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// Takes what producers wrote to `scans-inbound` through the same checks as HTTP: what is good is
/// re-keyed and appended to `scans` or `surveys`, what is not is set aside, in one transaction with
/// the offsets. A record shows its sender's token in the header `authorization`.
struct InboundScans: Sendable {
    let intake: ScanIntake

    /// The tables of sites and tokens are read from the log still.
    struct NotReady: CausedFault {
        var cause: FaultCause { .world }
    }

    func work(_ records: [StoredRecord]) throws -> ProcessorOutputs {
        let host = intake.host
        guard host.sites.isReady, host.tokens.isReady else { throw NotReady() }
        var outputs = ProcessorOutputs()
        for record in records {
            do throws(ScanIntake.Refusal) {
                outputs.append(try accepted(record), for: record)
            } catch {
                outputs.setAside(record, code: error.code, detail: error.detail)
            }
        }
        return outputs
    }

    private func accepted(_ record: StoredRecord) throws(ScanIntake.Refusal) -> LogRecord {
        guard let value = record.value else {
            throw .init(status: 400, code: "value-missing", detail: "the record has no value")
        }
        let caller = try caller(record)
        let putBack = PutBack.time(of: record)
        let submission: ScanSubmission
        do throws(WireFault) {
            // A file's line may be a scan or a survey; its time is checked like any other's.
            submission = try SubmissionDecoder(.scan).decodeOne(
                value,
                receivedAt: putBack ?? Timestamp(microseconds: record.appendedAtMicroseconds))
        } catch {
            throw .init(status: 400, code: error.code.rawValue, detail: error.detail)
        }
        let kind: ScanIntake.Kind = submission.place == nil ? .scan : .survey
        var accepted = try intake.accept(
            submission, kind: kind, caller: caller,
            traceparent: record.headers["traceparent"]
        ).get().record
        if let putBack { PutBack.append(putBack, to: &accepted.headers) }
        return accepted
    }

    private func caller(_ record: StoredRecord) throws(ScanIntake.Refusal) -> Caller {
        guard let header = record.headers["authorization"] else {
            throw .init(
                status: 401, code: "token-missing",
                detail: "the record has no header authorization: Bearer <token>")
        }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer",
            let caller = intake.host.tokens.caller(forBearer: String(words[1]))
        else {
            throw .init(
                status: 401, code: "token-wrong", detail: "the token is unknown or was revoked")
        }
        return caller
    }
}
