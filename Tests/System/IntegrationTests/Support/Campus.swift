import Foundation
import HTTPClient
import Postgres
import Synchronization
import TestSupport

/// The built services on a log and a database of their own, run as an administrator runs them: all
/// in one process, or each in its own.
final class Campus: Sendable {
    enum Log: String, Sendable { case postgres, kafka }
    enum Shape: String, Sendable { case together, apart }

    let log: Log
    let shape: Shape
    let folder: URL
    /// What every service and every command gets.
    let environment: [String: String]
    let kafka: RealKafka?
    private let database: String
    private let addresses: [String: String]
    private let processes = Mutex<[String: ServerProcess]>([:])
    private let client = HTTPClient()

    /// Starts the services and waits until they are ready.
    ///
    /// - Parameters:
    ///   - programs: the folder of their programs; nil for those under test.
    ///   - before: runs before the services start, with what they will get.
    init(
        _ log: Log, _ shape: Shape, settings: [String: String] = [:], kafka: RealKafka? = nil,
        postgres: PrivatePostgres? = nil, programs: String? = nil,
        before: (_ environment: [String: String]) async throws -> Void = { _ in }
    ) async throws {
        self.log = log
        self.shape = shape
        self.kafka = kafka
        folder = try makeTemporaryFolder("campus")
        AtExit.remove(folder.path)
        database = try await (postgres ?? .shared()).makeDatabase().connectionString
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": NSHomeDirectory(), "WHEREABOUTS_LOG": log.rawValue, "DATABASE_URL": database,
            "WHEREABOUTS_SERVICE_SECRET": "a-secret-of-the-integration-tests-alone",
            "WHEREABOUTS_LOG_LEVEL": "warning", "WHEREABOUTS_LOG_FORMAT": "json",
            // Maps choose their positioner where a test asks for it only: it takes a debug build long.
            "WHEREABOUTS_MAP_QUIET": "1s", "WHEREABOUTS_QUALITY_QUIET": "3600s",
        ].merging(settings) { $1 }
        if let kafka { environment["KAFKA_BOOTSTRAP_SERVERS"] = kafka.bootstrapServers }
        let names = shape == .together ? ["whereabouts"] : PathTable.committed.owners.sorted()
        addresses = Dictionary(
            uniqueKeysWithValues: zip(names, freePorts(names.count)).map { ($0, "127.0.0.1:\($1)") }
        )
        for (name, address) in addresses {
            environment[Self.variable(name)] = "http://\(address)"
        }
        self.environment = environment
        try await before(environment)
        try await start(from: programs)
    }

    private func start(from programs: String?) async throws {
        for (name, address) in addresses {
            let process = try ServerProcess(
                Programs.command(shape == .together ? "serve" : name, in: programs),
                logPath: folder.appending(path: "\(name).log").path,
                environment: environment.merging(["WHEREABOUTS_LISTEN": address]) { $1 })
            processes.withLock { $0[name] = process }
        }
        for (name, process) in processes.withLock(\.self) {
            try await eventually("\(name) is ready: \(messages)", seconds: 120) {
                if let status = process.exitStatus {
                    throw TestServerError("\(name) ended with \(status): \(messages)")
                }
                let answer = try? await client.send("GET", "\(url(name))/readyz")
                return answer?.status == 200
            }
        }
    }

    private static func variable(_ service: String) -> String {
        service == "whereabouts"
            ? "WHEREABOUTS_URL"
            : "WHEREABOUTS_\(service.uppercased().replacing("-", with: "_"))_URL"
    }

    /// What a test has not stopped would keep its connections to the database that all tests share.
    deinit {
        for process in processes.withLock(\.values) {
            process.end(with: SIGTERM, limitSeconds: 30)
        }
    }

    /// Stops all services, then starts those under test on what the former have written.
    func handOver() async throws {
        for (name, status) in stop() where status != 0 {
            throw TestServerError("\(name) ended with \(status): \(messages)")
        }
        try await start(from: nil)
    }

    /// Kills the service and starts it again; returns when it answers, ready or not.
    func restart(_ service: String) async throws {
        let address = addresses[service] ?? ""
        processes.withLock { $0[service] }?.end(with: SIGKILL)
        let process = try ServerProcess(
            Programs.command(shape == .together ? "serve" : service),
            logPath: folder.appending(path: "\(service).log").path,
            environment: environment.merging(["WHEREABOUTS_LISTEN": address]) { $1 })
        processes.withLock { $0[service] = process }
        try await eventually("\(service) answers: \(messages)", seconds: 60) {
            (try? await client.send("GET", "\(url(service))/healthz"))?.status == 200
        }
    }

    /// Tells all to stop in good order; how each ended, by name.
    func stop() -> [String: Int32] {
        let processes = processes.withLock(\.self)
        for process in processes.values { process.signal(SIGTERM) }
        return processes.mapValues { process in
            // Another SIGTERM would mean: at once.
            process.end(with: 0, limitSeconds: 30)
            return process.exitStatus ?? -1
        }
    }

    /// What the services have complained about.
    var messages: String {
        names.map { name in
            let file = folder.appending(path: "\(name).log")
            return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        }.joined()
    }

    var names: [String] { addresses.keys.sorted() }
    var areAllRunning: Bool { processes.withLock { $0.values.allSatisfy(\.isRunning) } }

    /// The one program for people.
    var program: [String] { Programs.command("whereabouts") }

    func url(_ service: String) -> String { addresses[service].map { "http://\($0)" } ?? "" }

    /// The process that answers, of the service or of all in one.
    func process(of service: String) -> Int32 {
        processes.withLock { ($0[service] ?? $0["whereabouts"])?.identifier ?? 0 }
    }

    // MARK: As clients see it

    /// Sends a request to the path's owner, as the proxy does.
    func send(
        _ method: String, _ path: String, token: String? = nil, body: [UInt8] = [],
        headers: [(name: String, value: String)] = [], timeoutSeconds: Double = 30
    ) async throws -> Answer {
        let answer = try await client.send(
            method, address(of: path),
            headers: headers + Self.authorization(token), body: body,
            timeoutSeconds: timeoutSeconds)
        return Answer(status: answer.status, headers: answer.headers, body: answer.body)
    }

    /// The same straight to one process, whoever owns the path.
    func ask(_ service: String, _ path: String) async throws -> Answer {
        let answer = try await client.send("GET", url(service) + path)
        return Answer(status: answer.status, headers: answer.headers, body: answer.body)
    }

    func stream(
        _ path: String, token: String, headers: [(name: String, value: String)] = []
    ) async throws -> HTTPClientStream {
        try await client.stream(
            address(of: path), headers: headers + Self.authorization(token))
    }

    private func address(of path: String) -> String {
        if shape == .together { return url("whereabouts") + path }
        return url(PathTable.committed.owner(of: path) ?? "site-editor") + path
    }

    private static func authorization(_ token: String?) -> [(name: String, value: String)] {
        token.map { [("authorization", "Bearer \($0)")] } ?? []
    }

    // MARK: As an administrator sees it

    /// Runs `whereabouts` with the services' settings.
    func whereabouts(_ arguments: String..., token: String? = nil) async throws -> ProgramRun {
        var environment = environment
        environment["WHEREABOUTS_TOKEN"] = token
        return try await ProgramRun.of(
            program + arguments, environment: environment
        ).successful()
    }

    /// Asks a service's own program whether the running one is well.
    func health(of service: String) async throws -> ProgramRun {
        let address = url(service).replacing("http://", with: "")
        return try await ProgramRun.of(
            Programs.command(service) + ["--health"],
            environment: environment.merging(["WHEREABOUTS_LISTEN": address]) { $1 })
    }

    /// Lines that psql prints for the statements, columns separated by tabs.
    @discardableResult
    func psql(_ statements: String) async throws -> [String] {
        try await ProgramRun.of(
            ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", database],
            input: Array(statements.utf8)
        ).successful().lines
    }
}

/// An answer over HTTP, its JSON read without any code of the project.
struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var json: [String: Any] { jsonObject(body) }
    /// The code of a problem.
    var code: String? { json["code"] as? String }
    var text: String { String(decoding: body, as: UTF8.self) }
    var lines: [String] { text.split(whereSeparator: \.isNewline).map(String.init) }
}

/// Ports that nobody listens on, below those that the system hands out by itself.
func freePorts(_ count: Int) -> [Int] {
    var ports: Set<Int> = []
    while ports.count < count {
        let port = Int.random(in: 10_000..<20_000)
        if isFree(port) { ports.insert(port) }
    }
    return ports.sorted()
}

private func isFree(_ port: Int) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
