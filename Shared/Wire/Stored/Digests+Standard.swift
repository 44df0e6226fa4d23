import Cryptography
public import Devices
import Events

extension Digests {
    /// The ids are UUIDs of version 5; a basis is the first eight bytes of a SHA-256.
    public static let standard = Digests(
        position: { EventID(positionOf: $0, by: $1) },
        visit: { EventID(visitOf: $0.device, at: $0.site, to: $1, entered: $2) },
        groupVisit: { EventID(visitOf: $0.device, at: $0.site, to: $1, entered: $2) },
        basis: { text in sha256(text.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } })
}
