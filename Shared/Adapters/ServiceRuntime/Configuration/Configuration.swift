/// The environment's values, checked against the program's declared settings.
///
/// All faults are found together at start. An empty variable counts as absent, since compose files
/// pass empty ones. An unknown variable that starts with `WHEREABOUTS_` is a fault, because it is
/// probably misspelled.
public struct Configuration: Sendable {
    private let values: [String: ConfigurationValue]
    private let kinds: [String: Setting.Kind]
    private let environment: [String: String]

    /// - Parameters:
    ///   - otherNames: `WHEREABOUTS_` variables of the family's other programs, so that one
    ///     environment file serves all of them.
    public init(
        environment: [String: String], settings: [Setting], otherNames: Set<String> = []
    ) throws(ConfigurationError) {
        var values: [String: ConfigurationValue] = [:]
        var faults: [ConfigurationFault] = []
        for setting in settings {
            switch Self.read(setting, in: environment) {
            case .success(let value): values[setting.name] = value
            case .failure(let fault): faults.append(fault)
            }
        }
        faults += Self.unknownVariables(environment, settings: settings, otherNames: otherNames)
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        self.values = values
        self.environment = environment
        kinds = Dictionary(
            settings.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Values. Asking for an undeclared name, or for the wrong kind, is a programming error.

    /// The text of a `text`, `url`, `choice` or `checked` setting. Nil when optional and absent.
    public func optionalText(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard case .text(let text) = value else { return wrongKind(name) }
        return text
    }

    /// The setting's number. Nil when optional and absent.
    public func optionalInteger(_ name: String) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .integer(let number) = value else { return wrongKind(name) }
        return number
    }

    /// The setting's duration. Nil when optional and absent.
    func optionalDuration(_ name: String) -> Duration? {
        guard let value = value(name) else { return nil }
        guard case .duration(let duration) = value else { return wrongKind(name) }
        return duration
    }

    /// The setting's address. Nil when optional and absent.
    func optionalListenAddress(_ name: String) -> ListenAddress? {
        guard let value = value(name) else { return nil }
        guard case .listenAddress(let address) = value else { return wrongKind(name) }
        return address
    }

    /// The setting's secret. Nil when optional and absent.
    public func optionalSecret(_ name: String) -> Secret? {
        guard let value = value(name) else { return nil }
        guard case .secret(let secret) = value else { return wrongKind(name) }
        return secret
    }

    /// The setting's flag. False when optional and absent.
    public func flag(_ name: String) -> Bool {
        guard let value = value(name) else { return false }
        guard case .flag(let flag) = value else { return wrongKind(name) }
        return flag
    }

    public func text(_ name: String) -> String { present(optionalText(name), name) }
    public func integer(_ name: String) -> Int { present(optionalInteger(name), name) }
    public func duration(_ name: String) -> Duration { present(optionalDuration(name), name) }
    public func secret(_ name: String) -> Secret { present(optionalSecret(name), name) }
    public func listenAddress(_ name: String) -> ListenAddress {
        present(optionalListenAddress(name), name)
    }

    /// The variables of a library, under its own names: `KAFKA_SECURITY_PROTOCOL` becomes
    /// `security.protocol`. Names ending in `PASSWORD_FILE` or `SECRET_FILE` are read from the
    /// file.
    ///
    /// `KAFKA_PORT…` and `KAFKA_SERVICE_…` are left out. Kubernetes sets those for any service
    /// named kafka, and no setting of librdkafka starts like this.
    public func passthrough(
        prefix: String
    ) throws(ConfigurationError) -> [String: String] {
        var result: [String: String] = [:]
        var faults: [ConfigurationFault] = []
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix(prefix) && !value.isEmpty {
            var rest = name.dropFirst(prefix.count)
            if rest.isEmpty || rest.hasPrefix("PORT") || rest.hasPrefix("SERVICE_") { continue }
            var text = value
            if rest.hasSuffix("PASSWORD_FILE") || rest.hasSuffix("SECRET_FILE") {
                do throws(MalformedValue) {
                    text = try SecretFile.read(value)
                } catch {
                    faults.append(ConfigurationFault(name: name, problem: error.reason))
                    continue
                }
                rest = rest.dropLast("_FILE".count)
            }
            result[rest.lowercased().replacing("_", with: ".")] = text
        }
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return result
    }

    private func value(_ name: String) -> ConfigurationValue? {
        precondition(kinds[name] != nil, "the setting \(name) is not declared")
        return values[name]
    }

    private func wrongKind<Value>(_ name: String) -> Value {
        preconditionFailure("the setting \(name) is declared as another kind")
    }

    private func present<Value>(_ value: Value?, _ name: String) -> Value {
        guard let value else { preconditionFailure("the setting \(name) is optional") }
        return value
    }
}
