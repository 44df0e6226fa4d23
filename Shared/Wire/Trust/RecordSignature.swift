public import Cryptography
public import EventLog
public import Events
internal import JSON

/// A signature that shows who wrote a record of `scans-inbound` and when (docs/kafka.md). The
/// writer's token holds the public half of the key; the token itself is never in the log.
///
/// Three headers carry it. `signed-by` is the token's id, and `signed-at` a time of RFC 3339.
/// `signature` has 128 hex digits of Ed25519 (RFC 8032) over four lines, each with its newline.
///
/// These lines are the topic, `signed-at` as written, and the SHA-256 of key and value in
/// lower-case hex. A record without a key has an empty one.
public struct RecordSignature: Hashable, Sendable {
    /// The most microseconds between signing and the log's append. It keeps copies of old records
    /// out.
    static let freshness: Int64 = 600_000_000

    /// The id of the token that signed.
    public var signer: EventID
    public var signedAt: Timestamp
    private let signedAtText: String
    /// Nil where the record names its sender without a proof.
    private let signature: [UInt8]?

    /// Reads the signature from a record's headers; nil when they name no signer.
    ///
    /// - Throws: `header-malformed`.
    public init?(headers: LogHeaders) throws(WireFault) {
        guard let signer = headers["signed-by"] else { return nil }
        guard let id = EventID(signer) else {
            throw WireFault(.headerMalformed, path: "signed-by", "this is not a token's id")
        }
        self.signer = id
        signature = try headers["signature"].map(Self.signature)
        signedAtText = headers["signed-at"] ?? ""
        guard let time = RFC3339.microseconds(signedAtText) else {
            guard signature == nil, signedAtText.isEmpty else {
                throw WireFault(.headerMalformed, path: "signed-at", "this is not an RFC 3339 time")
            }
            signedAt = Timestamp(microseconds: 0)
            return
        }
        signedAt = Timestamp(microseconds: time)
    }

    /// Signs a record that is about to be appended.
    public init(
        topic: String, key: [UInt8], value: [UInt8], by signer: EventID, at moment: Timestamp,
        with pair: Ed25519.KeyPair
    ) {
        self.signer = signer
        // The time is cut to milliseconds, the precision of the header.
        signedAt = Timestamp(microseconds: moment.microseconds / 1_000 * 1_000)
        signedAtText = RFC3339.text(microseconds: signedAt.microseconds)
        signature = pair.signature(
            of: Self.signedBytes(topic: topic, signedAt: signedAtText, key: key, value: value))
    }

    public var isSigned: Bool { signature != nil }

    /// The headers in their order.
    public var headers: [(name: String, value: String)] {
        [("signed-by", signer.description), ("signed-at", signedAtText)]
            + (signature.map { [("signature", hexadecimal($0))] } ?? [])
    }

    /// Whether the owner of this key signed exactly this record. The key's public half is in hex.
    public func verifies(_ record: StoredRecord, publicKey: String) -> Bool {
        guard let signature, let publicKey = bytes(fromHexadecimal: publicKey) else {
            return false
        }
        let bytes = Self.signedBytes(
            topic: record.topic, signedAt: signedAtText, key: record.key ?? [],
            value: record.value ?? [])
        return Ed25519.verifies(signature, of: bytes, publicKey: publicKey)
    }

    /// Whether the record was signed about when it was first appended.
    public func isFresh(at appendedAt: Timestamp) -> Bool {
        let (distance, overflows) = appendedAt.microseconds.subtractingReportingOverflow(
            signedAt.microseconds)
        return !overflows && distance.magnitude <= UInt64(Self.freshness)
    }

    /// An id for a record that brings none. Equal records get equal ids, so a record that is
    /// appended twice is located once.
    public var derivedID: EventID? {
        guard let signature else { return nil }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let hash = sha256(signature)
        // Version 8 of RFC 9562, whose bits are free to choose.
        let high = word(hash[..<8]) & ~0xF000 | 0x8000
        let low = word(hash[8..<16]) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return EventID(high: high, low: low)
    }

    private static func signature(_ text: String) throws(WireFault) -> [UInt8] {
        guard text.utf8.count == 2 * Ed25519.signatureBytes,
            let bytes = bytes(fromHexadecimal: text)
        else {
            throw WireFault(
                .headerMalformed, path: "signature", "a signature has 128 hex digits")
        }
        return bytes
    }

    private static func signedBytes(
        topic: String, signedAt: String, key: [UInt8], value: [UInt8]
    ) -> [UInt8] {
        Array("\(topic)\n\(signedAt)\n\(sha256Hex(key))\n\(sha256Hex(value))\n".utf8)
    }
}
