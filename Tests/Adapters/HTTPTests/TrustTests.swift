import Foundation
import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct TrustTests {
    /// A Python server with a self-signed certificate, like Caddy's.
    private final class SecureServer {
        let folder: URL
        var certificate: String { folder.appending(path: "certificate.pem").path }
        private(set) var port = 0
        private let process: ServerProcess

        init() async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "trust-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let key = folder.appending(path: "key.pem").path
            let ready = folder.appending(path: "port").path
            let program = """
                import http.server, os, ssl, subprocess
                subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(key)", "-out",
                    "\(folder.appending(path: "certificate.pem").path)"], check=True)
                class Handler(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        self.send_response(204); self.end_headers()
                    def log_message(self, *words): pass
                server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(
                    "\(folder.appending(path: "certificate.pem").path)", "\(key)")
                server.socket = context.wrap_socket(server.socket, server_side=True)
                with open("\(ready).new", "w") as file: file.write(str(server.server_port))
                os.rename("\(ready).new", "\(ready)")
                server.serve_forever()
                """
            process = try ServerProcess(
                ["python3", "-c", program], logPath: folder.appending(path: "log").path)
            _ = await eventually { FileManager.default.fileExists(atPath: ready) }
            port = Int(try String(contentsOfFile: ready, encoding: .utf8)) ?? 0
        }

        deinit {
            process.end(with: SIGKILL)
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test("A self-signed certificate is trusted only when its file is configured")
    func certificateFile() async throws {
        let server = try await SecureServer()
        let url = "https://localhost:\(server.port)/"
        do throws(HTTPClientError) {
            _ = try await HTTPClient().send("GET", url)
            Issue.record("the certificate was trusted")
        } catch {
            #expect(error.code == "certificate-not-trusted")
            #expect(!error.isRetriable)
        }
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = server.certificate
        #expect(try await HTTPClient(configuration).send("GET", url).status == 204)
    }

    @Test("Calls between services do not use the environment's HTTPS proxy")
    func proxy() async throws {
        let server = try await SecureServer()
        let url = "https://localhost:\(server.port)/"
        var configuration = HTTPClient.Configuration()
        configuration.certificateFile = server.certificate
        // No server listens there. The other tests use HTTP, so they never use this proxy.
        setenv("https_proxy", "http://127.0.0.1:1", 1)
        defer { unsetenv("https_proxy") }
        do throws(HTTPClientError) {
            _ = try await HTTPClient(configuration).send("GET", url)
            Issue.record("the call should have used the proxy")
        } catch {
            #expect(error.code == "unreachable")
        }
        configuration.usesProxy = false
        let answer = try await HTTPClient(configuration).send("GET", url)
        #expect(answer.status == 204)
    }

    @Test("Statuses that may pass are the same for all clients, from a service or a proxy")
    func passing() async throws {
        for status in [429, 502, 503, 504] {
            let answer = HTTPClientResponse(status: status, headers: [:], body: [])
            #expect(answer.mayPass, "\(status)")
        }
        for status in [200, 202, 400, 401, 403, 404, 409, 413, 422, 500] {
            let answer = HTTPClientResponse(status: status, headers: [:], body: [])
            #expect(!answer.mayPass, "\(status)")
        }
    }

    @Test("Retry-After is a number of seconds, and a day at most")
    func retryAfter() {
        let waits: [(String, Int?)] = [
            ("0", 0), ("77", 77), ("86400", 86_400), ("86401", 86_400), ("\(Int.max)", 86_400),
            (String(repeating: "9", count: 40), 86_400), ("-1", nil), ("", nil), ("1.5", nil),
            ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ]
        for (text, seconds) in waits {
            let answer = HTTPClientResponse(
                status: 503, headers: ["retry-after": text], body: [])
            #expect(answer.retryAfterSeconds == seconds, "\(text)")
        }
        let none = HTTPClientResponse(status: 503, headers: [:], body: [])
        #expect(none.retryAfterSeconds == nil)
    }
}
