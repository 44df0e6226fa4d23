import Foundation
import Synchronization

/// A program that a test started and that must not outlive the tests. The kernel ends it when the
/// thread that started it dies (`setpriv --pdeathsig`). So each program has a thread that waits for
/// it as long as the test process lives.
public final class ServerProcess: Sendable {
    public let identifier: Int32
    private let life: Life

    /// The state that the waiting thread and the owner share.
    private final class Life: Sendable {
        let status = Mutex<Int32?>(nil)
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        let identifier = Mutex<Int32>(0)
    }

    /// Starts a program. The first argument is its path. Its output is appended to the log file.
    public init(_ arguments: [String], logPath: String, environment: [String: String]? = nil) throws
    {
        let descriptor = open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw TestServerError("can't write \(logPath)") }
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let life = Life()
        self.life = life
        Self.start(["setpriv", "--pdeathsig", "KILL"] + arguments, environment, output, life)
        life.started.wait()
        if let failure = life.failure.withLock({ $0 }) { throw failure }
        identifier = life.identifier.withLock { $0 }
    }

    public var isRunning: Bool { life.status.withLock { $0 == nil } }

    /// The exit status, or the number of the signal that ended the program. Nil while it runs.
    public var exitStatus: Int32? { life.status.withLock { $0 } }

    public func signal(_ number: Int32) {
        if isRunning { kill(identifier, number) }
    }

    /// Sends the signal and waits. A program that does not end within the limit is killed.
    public func end(with number: Int32, limitSeconds: Double = 15) {
        signal(number)
        if life.ended.wait(timeout: .now() + limitSeconds) == .timedOut {
            signal(SIGKILL)
            life.ended.wait()
        }
        life.ended.signal()
    }

    /// Kills the program and its children with SIGKILL and waits until they are gone.
    public func killTree() {
        let children = Self.children(of: identifier)
        signal(SIGKILL)
        for child in children { kill(child, SIGKILL) }
        end(with: SIGKILL)
        let deadline = Date(timeIntervalSinceNow: 10)
        while children.contains(where: { kill($0, 0) == 0 }), Date() < deadline { usleep(5_000) }
    }

    private static func start(
        _ arguments: [String], _ environment: [String: String]?, _ output: FileHandle, _ life: Life
    ) {
        Thread.detachNewThread {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            if let environment { process.environment = environment }
            process.standardOutput = output
            process.standardError = output
            process.standardInput = FileHandle.nullDevice
            do { try process.runHearingSignals() } catch {
                life.failure.withLock { $0 = error }
                life.started.signal()
                return
            }
            life.identifier.withLock { $0 = process.processIdentifier }
            life.started.signal()
            process.waitUntilExit()
            life.status.withLock { $0 = process.terminationStatus }
            life.ended.signal()
        }
    }

    /// The children, from /proc: the parent is the fourth field of `stat`, after the name in
    /// brackets.
    private static func children(of parent: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { candidate in
            guard
                let stat = try? String(contentsOfFile: "/proc/\(candidate)/stat", encoding: .utf8),
                let afterName = stat.split(separator: ")").last
            else { return false }
            let fields = afterName.split(separator: " ")
            return fields.count > 1 && pid_t(fields[1]) == parent
        }
    }
}

/// Runs a program to its end and returns its output. Throws when it fails.
@discardableResult
public func runProgram(_ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw TestServerError("\(arguments.joined(separator: " ")): \(output)")
    }
    return output
}
