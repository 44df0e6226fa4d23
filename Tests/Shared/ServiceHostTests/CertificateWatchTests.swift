import Foundation
import ServiceRuntime
import TestSupport
import Testing

@testable import ServiceHost

@Suite("Certificates in files") struct CertificateWatchTests {
    private func configuration(_ environment: [String: String]) throws -> Configuration {
        try Configuration(
            environment: environment, settings: ServiceHost.Host.settings,
            otherNames: ServiceHost.Host.otherNames)
    }

    private func paths(_ environment: [String: String]) throws -> [String] {
        WatchedCertificates.files(try configuration(environment)).map { file in
            file.path + (file.isOfAuthorities ? " (authorities)" : "")
        }
    }

    @Test("are those of Kafka's settings and of both forms of PostgreSQL's address")
    func files() throws {
        let kafka = [
            "WHEREABOUTS_LOG": "kafka", "KAFKA_BOOTSTRAP_SERVERS": "a:9092",
            "KAFKA_SSL_CA_LOCATION": "/k/ca.pem",
            "KAFKA_SSL_CERTIFICATE_LOCATION": "/k/certificate.pem",
            "KAFKA_SSL_KEY_LOCATION": "/k/key.pem",
        ]
        #expect(try paths(kafka) == ["/k/ca.pem (authorities)", "/k/certificate.pem"])
        let url =
            "postgresql://a@b/c?sslmode=verify-full&sslrootcert=/p/ca%20a.pem&sslcert=/p/own.pem"
        #expect(
            try paths(["DATABASE_URL": url]) == ["/p/ca a.pem (authorities)", "/p/own.pem"])
        #expect(try paths(["DATABASE_URL": "postgresql://a@b/c?sslrootcert=system"]).isEmpty)
        #expect(try paths(["DATABASE_URL": "postgresql:///c"]).isEmpty)
    }

    @Test("are good until the own certificate ends, or the last of the authorities does")
    func days() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func make(_ name: String, days: Int) throws -> Data {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)", "-days",
                "\(days)", "-keyout", folder.appending(path: "\(name).key").path, "-out",
                folder.appending(path: name).path,
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return try Data(contentsOf: folder.appending(path: name))
        }
        guard let short = try? make("short", days: 5) else {
            print("skipped: CertificateWatchTests.days, because openssl is not installed")
            return
        }
        let both = folder.appending(path: "both")
        try
            (Data(contentsOf: folder.appending(path: "short.key")) + short
            + make("long", days: 50)).write(to: both)
        let now = Int64(Date().timeIntervalSince1970 * 1e6)
        func days(_ isOfAuthorities: Bool, in path: String) -> Int? {
            WatchedCertificates.daysLeft(
                in: .init(path: path, isOfAuthorities: isOfAuthorities), now: now
            ).map { Int($0.rounded()) }
        }
        #expect(days(false, in: both.path) == 5)
        #expect(days(true, in: both.path) == 50)
        #expect(days(true, in: folder.appending(path: "short.key").path) == nil)
        #expect(days(true, in: "/nowhere") == nil)
    }
}
