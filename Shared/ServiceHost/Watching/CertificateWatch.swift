public import HTTPClient
public import ServiceRuntime

/// The servers whose certificates an operator has to renew.
public enum WatchedCertificates {
    /// The addresses `host:port` that show a certificate: of the public address, and of the brokers
    /// where they use TLS.
    public static func addresses(
        publicURL: String?, _ configuration: Configuration
    ) -> [String] {
        var found: [String] = []
        let scheme = "https://"
        if let url = publicURL, url.lowercased().hasPrefix(scheme) {
            found.append(String(url.dropFirst(scheme.count).prefix { $0 != "/" }))
        }
        let kafka = (try? configuration.passthrough(prefix: "KAFKA_")) ?? [:]
        if configuration.text(Host.logKind.name) == "kafka",
            kafka["security.protocol"]?.uppercased().hasSuffix("SSL") == true
        {
            found += (kafka["bootstrap.servers"] ?? "").split(separator: ",")
                .map { String($0).trimmingSpaces }
        }
        return found
    }

    /// Days until the server's certificate ends; negative if it has ended.
    ///
    /// - Parameter now: microseconds since 1970.
    public static func daysLeft(
        at address: String, now: Int64
    ) async throws(HTTPClientError) -> Double {
        let shown = try await ServerCertificate.shown(by: address)
        return (Double(shown.endsAt) - Double(now) / 1e6) / 86_400
    }
}

extension Host {
    private static let certificateInterval = Duration.seconds(3_600)
    /// The pause after a failure: the proxy may start later than the services.
    private static let shortCertificateInterval = Duration.seconds(60)

    /// Shows how long the certificates are good for. Empty where nothing shows one.
    func certificateWatch(publicURL: String?) -> [any Component] {
        let addresses = WatchedCertificates.addresses(publicURL: publicURL, configuration)
        guard !addresses.isEmpty else { return [] }
        return [
            Loop("certificates") { [context] in
                while !Task.isCancelled {
                    var pause = Self.certificateInterval
                    for address in addresses {
                        // Something else reports a server that is away.
                        guard
                            let days = try? await WatchedCertificates.daysLeft(
                                at: address, now: context.time.nowMicroseconds)
                        else {
                            pause = Self.shortCertificateInterval
                            continue
                        }
                        context.metrics.gauge(
                            "whereabouts_certificate_days",
                            help: "Days until the certificate of the address ends.",
                            labels: ["address": address]
                        ).set(days)
                    }
                    try? await Task.sleep(for: pause)
                }
            }
        ]
    }
}
