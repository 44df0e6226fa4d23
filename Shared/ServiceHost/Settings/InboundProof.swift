public import ServiceRuntime

/// How the sender of a record of `scans-inbound` is proven.
public enum InboundProof: String, Sendable, CaseIterable {
    /// Senders sign each record.
    case signed
    /// The brokers let only known producers write.
    case acl

    public init(_ configuration: Configuration) {
        self = Self(rawValue: configuration.text(Self.setting)) ?? .signed
    }

    public static let setting = Setting(
        "WHEREABOUTS_INBOUND", .choice(allCases.map(\.rawValue)), .defaultsTo(signed.rawValue),
        help: "how writers of scans-inbound are checked: by signatures, or by the brokers (acl)")
}
