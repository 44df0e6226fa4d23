import Foundation
import Synchronization

/// An MQTT broker for tests: Debian's mosquitto, with a new directory and a port of its own on
/// 127.0.0.1. It keeps sessions and their messages over a restart.
public final class PrivateBroker: Sendable {
    private static let program = "/usr/sbin/mosquitto"
    /// The reason why tests can't start one. Nil where they can.
    public static let obstacle: String? =
        FileManager.default.isExecutableFile(atPath: program)
        ? nil : "mosquitto is not installed (Debian: mosquitto, mosquitto-clients)"
    public static var isUsable: Bool {
        if let obstacle { print("skipped: MQTT, \(obstacle)") }
        return obstacle == nil
    }

    public enum Door: Sendable {
        case open
        /// Only for this user.
        case password(user: String, String)
        /// With TLS, by a certificate of a new authority: `authority`.
        case encrypted
    }

    public let port: UInt16
    private let door: Door
    private let directory: URL
    private let process = Mutex<ServerProcess?>(nil)

    /// The file with the certificate of the authority that signed the broker's.
    public var authority: String { directory.appending(path: "ca.pem").path }

    /// - Parameter settings: more lines of mosquitto.conf.
    public init(_ door: Door = .open, settings: [String] = []) throws {
        self.door = door
        directory = try makeServerDirectory(named: "broker")
        port = try Self.freePort()
        var lines = [
            "user root", "persistence true", "persistence_location \(directory.path)/",
            "autosave_on_changes true", "autosave_interval 1", "max_queued_messages 100000",
            "listener \(port) 127.0.0.1",
        ]
        switch door {
        case .open: lines.append("allow_anonymous true")
        case .password(let user, let word):
            let file = directory.appending(path: "passwords").path
            try runProgram(["mosquitto_passwd", "-b", "-c", file, user, word])
            lines += ["allow_anonymous false", "password_file \(file)"]
        case .encrypted:
            try makeCertificates()
            lines += [
                "allow_anonymous true", "cafile \(authority)", "certfile \(directory.path)/own.pem",
                "keyfile \(directory.path)/own.key",
            ]
        }
        let text = (lines + settings).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: directory.appending(path: "mosquitto.conf"))
        try start()
    }

    public func start() throws {
        let log = directory.appending(path: "broker.log").path
        let server = try ServerProcess(
            [Self.program, "-c", directory.appending(path: "mosquitto.conf").path], logPath: log)
        process.withLock { $0 = server }
        let deadline = Date(timeIntervalSinceNow: 30)
        while !Self.answers(port) {
            guard server.isRunning, Date() < deadline else {
                let output = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw TestServerError("mosquitto did not start: \(output.suffix(2_000))")
            }
            usleep(5_000)
        }
    }

    /// Ends it regularly; it writes its sessions to disk first.
    public func stop() {
        process.withLock { process in
            process?.end(with: SIGTERM)
            process = nil
        }
    }

    /// Publishes each line as a message.
    public func publish(_ lines: [String], to topic: String, qos: Int = 1) throws {
        let file = directory.appending(path: "lines-\(UUID().uuidString)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        var command = "mosquitto_pub -h 127.0.0.1 -p \(port) -q \(qos) -t '\(topic)' -l"
        if case .password(let user, let word) = door { command += " -u \(user) -P \(word)" }
        if case .encrypted = door { command += " --cafile \(authority)" }
        try runProgram(["sh", "-c", "\(command) < \(file.path)"])
    }

    /// Publishes a message, which may have line breaks.
    public func publish(file bytes: [UInt8], to topic: String, retain: Bool = false) throws {
        let file = directory.appending(path: "message-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        try runProgram(
            [
                "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-f",
                file.path,
            ] + (retain ? ["-r"] : []))
    }

    private func makeCertificates() throws {
        let openssl = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-x509", "-days", "2"]
        let name = { (file: String) in self.directory.appending(path: file).path }
        try runProgram(
            openssl + ["-subj", "/CN=Test CA", "-keyout", name("ca.key"), "-out", authority])
        try runProgram(
            openssl + [
                "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1,DNS:localhost", "-addext",
                "basicConstraints=critical,CA:FALSE", "-CA", authority, "-CAkey", name("ca.key"),
                "-keyout", name("own.key"), "-out", name("own.pem"),
            ])
    }

    // MARK: Ports

    /// A port that nobody listens at.
    public static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) != 0 || getsockname(descriptor, $0, &size) != 0
            }
        }
        guard !failure else { throw TestServerError("no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func answers(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
