import Cryptography
import Foundation
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

    /// A file with certificates that this process shows to brokers and to PostgreSQL, or checks
    /// theirs by.
    public struct File: Hashable, Sendable {
        public var path: String
        /// Whether it has the authorities that are trusted, and not a certificate of our own.
        var isOfAuthorities: Bool
    }

    public static func files(_ configuration: Configuration) -> [File] {
        let kafka = (try? configuration.passthrough(prefix: "KAFKA_")) ?? [:]
        var found: [File] = []
        if configuration.text(Host.logKind.name) == "kafka" {
            found += [("ssl.ca.location", true), ("ssl.certificate.location", false)]
                .compactMap { name, isOfAuthorities in
                    kafka[name].map { File(path: $0, isOfAuthorities: isOfAuthorities) }
                }
        }
        let database = configuration.optionalSecret("DATABASE_URL")?.reveal() ?? ""
        // Both forms of libpq: the parameters of an address, and words with `=`.
        found += database.matches(of: /\bssl(root)?cert\s*=\s*'?([^&\s']+)/).compactMap { match in
            String(match.2).removingPercentEncoding
                .map { File(path: $0, isOfAuthorities: match.1 != nil) }
        }
        return Set(found.filter { $0.path.hasPrefix("/") }).sorted { $0.path < $1.path }
    }

    /// Days until the certificate of a file ends. A file of authorities is good as long as one of
    /// them is; otherwise its first certificate is the own one. Nil where it can't be read.
    public static func daysLeft(in file: File, now: Int64) -> Double? {
        guard let data = FileManager.default.contents(atPath: file.path), data.count <= 1 << 24
        else { return nil }
        let ends = certificateEnds(pem: Array(data))
        guard let end = file.isOfAuthorities ? ends.max() : ends.first else { return nil }
        return (Double(end) - Double(now) / 1e6) / 86_400
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
        let files = WatchedCertificates.files(configuration)
        guard !addresses.isEmpty || !files.isEmpty else { return [] }
        return [
            Loop("certificates") { [context] in
                while !Task.isCancelled {
                    var pause = Self.certificateInterval
                    func show(_ days: Double, of address: String) {
                        context.metrics.gauge(
                            "whereabouts_certificate_days",
                            help: "Days until the certificate of the address or file ends.",
                            labels: ["address": address]
                        ).set(days)
                    }
                    for file in files {
                        let now = context.time.nowMicroseconds
                        guard let days = WatchedCertificates.daysLeft(in: file, now: now) else {
                            continue
                        }
                        show(days, of: file.path)
                    }
                    for address in addresses {
                        // Something else reports a server that is away.
                        guard
                            let days = try? await WatchedCertificates.daysLeft(
                                at: address, now: context.time.nowMicroseconds)
                        else {
                            pause = Self.shortCertificateInterval
                            continue
                        }
                        show(days, of: address)
                    }
                    try? await Task.sleep(for: pause)
                }
            }
        ]
    }
}
