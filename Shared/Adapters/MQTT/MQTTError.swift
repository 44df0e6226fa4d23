import CMosquitto
import Glibc

/// The reason why a connection to an MQTT broker could not be made, or ended.
///
/// Another attempt may help each of them: the broker may come back, or its operator may mend its
/// settings.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The broker does not answer, or the connection broke.
        case unreachable
        /// The broker refused the sign-in or the subscription.
        case refused
        /// The broker's certificate can't be trusted, or TLS failed otherwise.
        case notTrusted
        /// The other side does not speak MQTT, or breaks its rules.
        case malformed
    }

    public var kind: Kind
    /// One sentence without a password.
    public var reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// - Parameter code: one of libmosquitto's `MOSQ_ERR_` numbers.
    init(_ place: String, code: Int32) {
        let kind: Kind
        let text: String
        switch mosq_err_t(code) {
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP: kind = .notTrusted
        case MOSQ_ERR_AUTH, MOSQ_ERR_ACL_DENIED, MOSQ_ERR_CONN_REFUSED: kind = .refused
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8,
            MOSQ_ERR_DUPLICATE_PROPERTY, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE,
            MOSQ_ERR_TOPIC_ALIAS_INVALID:
            kind = .malformed
        default: kind = .unreachable
        }
        if mosq_err_t(code) == MOSQ_ERR_ERRNO {
            text = String(cString: strerror(errno))
        } else {
            text = String(cString: mosquitto_strerror(code))
        }
        self.init(kind, "\(place): \(text)")
    }

    public var description: String { reason }
}
