internal import Cryptography
public import EventLog
public import Events

/// Headers of a record of `scans-inbound` whose letter holds it without the personal data of
/// strangers.
///
/// The sender's signature does not fit the changed value. In its place the letter has a proof that
/// scan-ingest made it from the record at this place, and that the sender was checked.
public enum ScreenedRecords {
    private static let fromName: StaticString = "screened-from"
    private static let senderName: StaticString = "screened-for"
    private static let proofName: StaticString = "screened-proof"
    /// Headers that the letter keeps. A sender may have put anything into others.
    private static let keptNames: Set<String> = [
        "content-type", "traceparent", "authorization", "signed-by", "signed-at", "put-back",
        "ce_specversion", "ce_id", "ce_type", "ce_time", "ce_site",
    ]
    /// The most bytes of a header that the letter keeps.
    private static let keptBytes = 512

    /// The record as its letter may hold it.
    ///
    /// - Parameters:
    ///   - key: the key, where it has no personal data.
    ///   - value: the value without personal data; nil to withhold it.
    ///   - sender: the token whose signature was checked; nil where it was not.
    ///   - secret: the secret that services show each other.
    public static func screened(
        _ record: StoredRecord, key: [UInt8]?, value: [UInt8]?, sender: EventID?, secret: String
    ) -> ScreenedRecord {
        var headers = LogHeaders()
        record.headers.forEach({ name, text in
            if keptNames.contains(String(decoding: name, as: UTF8.self)), text.count <= keptBytes {
                headers.append(name: name, value: text)
            }
        })
        headers.append(fromName, "\(record.topic)/\(record.partition)/\(record.offset)")
        if let sender { headers.append(senderName, sender.description) }
        let proof = proof(value: value, headers, secret)
        headers.append(proofName, hexadecimal(proof))
        return ScreenedRecord(key: key, value: value, headers: headers)
    }

    /// Whether scan-ingest made this from the record at `place`, such as
    /// `whereabouts.scans-inbound/3/17`.
    public static func isGenuine(
        _ record: StoredRecord, from place: String, secret: String
    ) -> Bool {
        record.headers[fromName] == place && isProven(record, secret)
    }

    /// Whether the sender of the record was checked when it first came. Only who has the services'
    /// secret can put such a record back.
    public static func namesSender(_ headers: LogHeaders) -> Bool { headers[senderName] != nil }

    /// The token whose signature was checked before the value was changed. Nil for a record that
    /// nobody put back, and for one without a proof.
    public static func sender(of record: StoredRecord, secret: String) -> EventID? {
        guard let text = record.headers[senderName], let id = EventID(text),
            isProven(record, secret), PutBack.isProven(record, secret: secret)
        else { return nil }
        return id
    }

    private static func isProven(_ record: StoredRecord, _ secret: String) -> Bool {
        guard let shown = record.headers[proofName].flatMap(bytes(fromHexadecimal:)) else {
            return false
        }
        return isEqualInConstantTime(shown, proof(value: record.value, record.headers, secret))
    }

    private static func proof(
        value: [UInt8]?, _ headers: LogHeaders, _ secret: String
    ) -> [UInt8] {
        let names: [StaticString] = [fromName, senderName, "authorization", "signed-by"]
        let proven = names.map { sha256Hex(headers[$0] ?? "") }.joined(separator: "\n")
        return keyedHash(
            Array("screened\n\(proven)\n\(sha256Hex(value ?? []))\n".utf8),
            key: sha256(secret.utf8))
    }
}
