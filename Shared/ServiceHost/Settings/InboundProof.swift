public import ServiceRuntime

/// How writers of `scans-inbound` prove who they are.
public enum InboundProof: String, Sendable, CaseIterable {
    /// They sign each record.
    case signed
    /// The brokers let nobody else write.
    case acl

    public init(_ configuration: Configuration) {
        self = Self(rawValue: configuration.text(Self.setting)) ?? .signed
    }

    public static let setting = Setting(
        "WHEREABOUTS_INBOUND", .choice(allCases.map(\.rawValue)), .defaultsTo(signed.rawValue),
        help: "how writers of scans-inbound are checked: by signatures, or by the brokers (acl)")
}
