import Foundation
import Glibc
import Repository
import Synchronization

/// A real Apache Kafka for tests. It is the one that `KAFKA_BOOTSTRAP_SERVERS` names. Otherwise it
/// starts brokers from the optional data folder: `../shared/kafka`, or `kafka` in the folder that
/// `WHEREABOUTS_SHARED` names. These end with the process.
public final class RealKafka: Sendable {
    /// The Kafka that all tests of the process share. Nil, with the reason printed, when there is
    /// none.
    public static let shared: RealKafka? = {
        let named = ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"] ?? ""
        if !named.isEmpty {
            return RealKafka(bootstrapServers: named, folder: nil, port: 0, count: 0)
        }
        return start()
    }()

    /// Whether `shared` can be used. This check starts nothing.
    public static var isInstalled: Bool {
        programs != nil
            || ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"]?.isEmpty == false
    }

    /// The folder of Kafka's own programs, if it exists.
    public static var jars: String? {
        let folder = programs?.appendingPathComponent("jars").path
        return folder.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    public let bootstrapServers: String
    private let folder: URL?
    private let port: Int
    private let brokers: Int

    private init(bootstrapServers: String, folder: URL?, port: Int, count: Int) {
        self.bootstrapServers = bootstrapServers
        self.folder = folder
        self.port = port
        brokers = count
    }

    /// Starts brokers for a single test, which may crash them. Nil, with the reason printed, when
    /// the folder or Java is missing or the brokers don't start.
    public static func start(brokers: Int = 1) -> RealKafka? {
        guard let programs else {
            print("skipped: no real Kafka, neither KAFKA_BOOTSTRAP_SERVERS nor ../shared/kafka")
            return nil
        }
        // It tries several times. A port that was free may be occupied by now. One cluster id in 64
        // begins with "-", and Kafka's own program then reads it as an option.
        var reason = ""
        for _ in 0..<3 {
            do { return try start(programs, brokers) } catch { reason = "\(error)" }
        }
        print("skipped: no real Kafka, it did not start: \(reason)")
        return nil
    }

    private static func start(_ programs: URL, _ brokers: Int) throws -> RealKafka {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("whereabouts-kafka-\(UUID().uuidString)")
        let port = freePort(count: 2 * brokers)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try stopAfterThisProcess(folder, programs)
        let servers = try runStart(programs, folder, port: port, brokers: brokers)
        return RealKafka(bootstrapServers: servers, folder: folder, port: port, count: brokers)
    }

    /// The files of this process's brokers; nil for brokers of somebody else.
    public var dataFolder: String? { folder?.path }

    /// Whether this process started the brokers, so that it may crash them.
    public var isOwn: Bool { folder != nil }

    /// Kills one broker with SIGKILL, counted from 1. Returns when its ports are free.
    public func crash(broker: Int = 1) {
        guard let pid = pid(of: broker) else { return }
        kill(pid, SIGKILL)
        // The broker's sockets close some time after the signal, and `start` refuses occupied
        // ports.
        let ports = port + 2 * (broker - 1)...port + 2 * broker - 1
        for _ in 0..<1_000 {
            if ports.allSatisfy({ !Self.answers($0) }) { return }
            usleep(10_000)
        }
    }

    /// Sends a signal, such as SIGSTOP or SIGCONT, to one broker.
    public func signal(_ number: Int32, broker: Int = 1) {
        guard let pid = pid(of: broker) else { return }
        kill(pid, number)
    }

    /// Restarts stopped brokers with their stored data and waits until they answer.
    public func restart() {
        guard let folder, let programs = Self.programs else { return }
        do {
            _ = try Self.runStart(programs, folder, port: port, brokers: brokers)
        } catch {
            print("the brokers did not come back: \(error)")
        }
    }

    /// Stops this process's brokers and deletes their data. Otherwise that happens after the
    /// process's end.
    public func stop() {
        guard let folder else { return }
        Self.stop(folder)
    }

    /// The files of the topic's segments at the first broker; nil where it is not this process's.
    public func segments(of topic: String) -> Int? {
        guard let folder else { return nil }
        let files = FileManager.default.enumerator(
            atPath: folder.appendingPathComponent("broker-1").path)
        return (files?.allObjects as? [String] ?? []).count {
            $0.contains("/\(topic)-") && $0.hasSuffix(".log")
        }
    }

    private func pid(of broker: Int) -> pid_t? {
        guard let folder else { return nil }
        let file = folder.appendingPathComponent("broker-\(broker)/pid")
        let text = try? String(contentsOf: file, encoding: .utf8)
        return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// The folder with `start` and `stop`, if it exists.
    static let programs: URL? = {
        let named = ProcessInfo.processInfo.environment["WHEREABOUTS_SHARED"]
        let shared =
            named.map { URL(fileURLWithPath: $0) }
            ?? repository.appendingPathComponent("../shared")
        let kafka = shared.appendingPathComponent("kafka").standardizedFileURL
        let start = kafka.appendingPathComponent("start").path
        return FileManager.default.isExecutableFile(atPath: start) ? kafka : nil
    }()

    private static let running = Mutex<Set<URL>>([])

    private static func stop(_ folder: URL) {
        guard let programs, running.withLock({ $0.remove(folder) }) != nil else { return }
        _ = try? runProgram([programs.appendingPathComponent("stop").path, folder.path])
        try? FileManager.default.removeItem(at: folder)
    }

    /// Stops the brokers when this process has ended, however it ended. A small shell waits for
    /// that.
    private static func stopAfterThisProcess(_ folder: URL, _ programs: URL) throws {
        running.withLock { _ = $0.insert(folder) }
        let script = """
            while kill -0 "$1" 2>/dev/null; do sleep 1; done
            [ -d "$3" ] || exit 0
            "$2" "$3"; rm -rf "$3"
            """
        let stop = programs.appendingPathComponent("stop").path
        _ = try SpawnedProgram(
            ["/bin/sh", "-c", script, "sh", "\(getpid())", stop, folder.path],
            outputPath: "/dev/null")
    }

    /// Runs the start script and returns what it prints: the bootstrap servers.
    private static func runStart(
        _ programs: URL, _ folder: URL, port: Int, brokers: Int
    ) throws -> String {
        let output = folder.appendingPathComponent("start.log")
        let start = try SpawnedProgram(
            [
                programs.appendingPathComponent("start").path, "\(port)", folder.path, "\(brokers)",
            ], outputPath: output.path)
        let status = start.wait()
        let text = try String(contentsOf: output, encoding: .utf8)
        guard status == 0 else { throw TestServerError(text) }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The first of several free ports in a row, below those that the system assigns by itself.
    private static func freePort(count: Int) -> Int {
        while true {
            let first = Int.random(in: 20_000..<32_700 - count)
            if (first..<first + count).allSatisfy(isFree) { return first }
        }
    }

    private static func isFree(_ port: Int) -> Bool { call(bind, port) }

    private static func answers(_ port: Int) -> Bool { call(connect, port) }

    /// Whether the call succeeds on a new socket and this port of 127.0.0.1.
    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ port: Int
    ) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
