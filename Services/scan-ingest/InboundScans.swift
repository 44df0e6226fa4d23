import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// Puts the records of `scans-inbound` through the same checks as HTTP.
///
/// Good records get a new key and are appended to `scans` or `surveys`; the others are set aside.
/// Each batch commits together with its offsets, in one transaction.
struct InboundScans: Sendable {
    let intake: ScanIntake
    let sender: InboundSender
    /// Proves the time of a record that was put back.
    let serviceSecret: String
    let privacy: ScanPrivacy
    /// Until then overheard scans wait for the first keys; later they are set aside.
    let patience: Timestamp

    /// The tables of sites and tokens have not been read from the log yet.
    struct NotReady: CausedFault {
        var cause: FaultCause { .world }
    }

    func work(
        _ quotas: inout InboundQuotas, _ records: [StoredRecord]
    ) throws -> ProcessorOutputs {
        guard intake.isReady else { throw NotReady() }
        var outputs = ProcessorOutputs()
        for record in records {
            do throws(Problem) {
                outputs.append(try accepted(record, &quotas), for: record)
            } catch {
                if error.code == ProblemCode.dayKeyMissing.text, intake.clock.now < patience {
                    throw NotReady()
                }
                outputs.setAside(
                    record, code: error.code, detail: error.detail,
                    isOfSender: Self.isOfSender(error), screened: screened(record, error))
            }
        }
        return outputs
    }

    /// Whether the sender is to blame. A site that is unknown to the caller counts too: a testers'
    /// site is hidden from strangers, and gone when its test ends.
    private static func isOfSender(_ problem: Problem) -> Bool {
        [401, 403, 429].contains(problem.status) || problem.code == ProblemCode.siteUnknown.text
    }

    private func accepted(
        _ record: StoredRecord, _ quotas: inout InboundQuotas
    ) throws(Problem) -> LogRecord {
        guard let value = record.value else {
            throw Problem(.valueMissing, "the record has no value")
        }
        let caller = try sender.caller(record)
        // The log has the record already and can't send it back. Waiting would stop the partition
        // for all other senders, so the record is set aside in full.
        guard
            quotas.acquire(
                caller.id, caller.sendingQuota, bytes: value.count,
                atMicroseconds: record.appendedAtMicroseconds)
        else {
            let limit = caller.sendingQuota.map { "; it may send \($0.recordsInWords)" } ?? ""
            throw Problem(.quotaExceeded, "the token has sent too many records or bytes\(limit)")
        }
        let putBack = PutBack.time(of: record)
        var submission: ScanSubmission
        do throws(WireFault) {
            // A line of a file may be a scan or a survey; its time is checked like any other.
            submission = try SubmissionDecoder(.scan).decodeOne(
                value,
                receivedAt: PutBack.firstAppended(record, secret: serviceSecret))
        } catch {
            throw Problem(error)
        }
        guard submission.request == nil else {
            throw Problem(
                .scanRequestOverHTTP, "The answer to a request for a scan is sent over HTTP.")
        }
        submission.id = submission.id ?? derivedID(record)
        let kind: ScanIntake.Kind = submission.place == nil ? .scan : .survey
        var accepted = try intake.accept(
            submission, kind: kind, caller: caller,
            traceparent: record.headers["traceparent"]
        ).get().record
        if let putBack { PutBack.append(putBack, to: &accepted.headers) }
        return accepted
    }

    /// The record without the personal data of strangers, for its dead letter. Nil where it has
    /// none. A value that can't be read is withheld, since nobody can tell what it holds, and so is
    /// one of an erased device.
    ///
    /// A value that leaves site and device to its token gets them: the letter must be found when
    /// its device is erased.
    private func screened(_ record: StoredRecord, _ problem: Problem) -> ScreenedRecord? {
        guard let value = record.value else { return nil }
        let caller = try? sender.caller(record)
        guard problem.code != ProblemCode.deviceErased.text else {
            return ScreenedRecords.screened(
                record, key: nil, value: nil, sender: caller.flatMap { EventID($0.id) },
                secret: serviceSecret)
        }
        var kept: [UInt8]?
        var names: [DeviceID] = []
        if var submission = try? SubmissionDecoder(.scan).decodeOne(
            value, receivedAt: PutBack.firstAppended(record, secret: serviceSecret)),
            var letter = privacy.letter(
                submission, site: submission.site ?? caller?.onlySite, sites: intake.sites)
        {
            letter.site = letter.site ?? caller?.onlySite
            letter.device = letter.device ?? caller?.device
            if letter == submission, !HiddenAddresses.areIn(value, beside: submission) {
                return nil
            }
            if let given = submission.device, letter.device != given { names = [given] }
            submission = letter
            submission.id = submission.id ?? derivedID(record)
            kept = submission.json
        }
        let isKeySafe = record.key.map {
            !HiddenAddresses.areIn($0, beside: nil)
                && !names.map(\.text).contains(where: String(decoding: $0, as: UTF8.self).contains)
        }
        return ScreenedRecords.screened(
            record, key: isKeySafe == true ? record.key : nil, value: kept,
            sender: caller.flatMap { EventID($0.id) }, secret: serviceSecret)
    }

    /// The id of a signed record that brings none, derived from its signature.
    private func derivedID(_ record: StoredRecord) -> EventID? {
        (try? RecordSignature(headers: record.headers))?.derivedID
    }
}
