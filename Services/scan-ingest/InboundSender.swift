import EventLog
import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Synchronization
import Wire

/// Finds out who sent a record of `scans-inbound`.
///
/// The signature identifies the sender. Where the brokers admit the operator's own producers only,
/// the name of the token is enough.
final class InboundSender: Sendable {
    private let tokens: TokenDirectory
    private let proof: InboundProof
    private let serviceSecret: String
    private let onUnexpected: @Sendable (String) -> Void
    private let hasWarned = Mutex(false)

    /// - Parameter serviceSecret: proves the time at which a record that was put back first came.
    init(
        tokens: TokenDirectory, proof: InboundProof, serviceSecret: String,
        onUnexpected: @escaping @Sendable (String) -> Void
    ) {
        self.tokens = tokens
        self.proof = proof
        self.serviceSecret = serviceSecret
        self.onUnexpected = onUnexpected
    }

    func caller(_ record: StoredRecord) throws(Problem) -> Caller {
        if let sender = ScreenedRecords.sender(of: record, secret: serviceSecret) {
            guard let caller = tokens.caller(ofToken: sender) else {
                throw Problem(.tokenWrong, "the token that screened-for names was revoked")
            }
            return caller
        }
        let signature: RecordSignature?
        do throws(WireFault) {
            signature = try RecordSignature(headers: record.headers)
        } catch {
            throw Problem(error)
        }
        guard let signature else { return try shown(record) }
        guard let signer = tokens.caller(ofToken: signature.signer) else {
            throw Problem(.tokenWrong, "the token that signed-by names is unknown or was revoked")
        }
        if proof == .signed || signature.isSigned { try check(signature, record, of: signer) }
        return signer
    }

    private func check(
        _ signature: RecordSignature, _ record: StoredRecord, of signer: Caller
    ) throws(Problem) {
        guard let key = signer.signingKey, signature.verifies(record, publicKey: key) else {
            throw Problem(
                .signatureWrong,
                "the signature is not of this topic, key, value and time by the token's key"
            )
        }
        // A record that is put back was in time when it was first appended. It only waited for the
        // operator since.
        guard signature.isFresh(at: PutBack.firstAppended(record, secret: serviceSecret))
        else {
            throw Problem(
                .signatureStale,
                "it was signed more than ten minutes before or after it was appended")
        }
    }

    /// The caller of a record that carries the token itself, as earlier releases sent it. Everybody
    /// who reads the topic sees that token.
    private func shown(_ record: StoredRecord) throws(Problem) -> Caller {
        guard let header = record.headers["authorization"] else {
            throw Problem(
                .tokenMissing,
                "the record is not signed: it needs signed-by, signed-at and signature")
        }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer",
            let caller = tokens.caller(forBearer: String(words[1]))
        else {
            throw Problem(.tokenWrong, "the token is unknown or was revoked")
        }
        warn(caller)
        return caller
    }

    private func warn(_ caller: Caller) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        onUnexpected(
            "A record of \(Topic.scansInbound.name) shows its token (id \(caller.id)), which all "
                + "readers of the topic can copy. Sign records instead (docs/kafka.md), and give "
                + "the sender a new token: the next release refuses these.")
    }
}
