import Foundation
import Glibc
import TestSupport

/// A program that runs on a given processor while the benchmark runs, and ends with it.
struct PinnedProgram {
    /// The end of the output that a report contains.
    private static let reportedLines = 20
    private static let reportedCharacters = 4_000

    private let process: ServerProcess
    private let command: [String]
    private let output: FileHandle

    /// - Parameters:
    ///   - processor: the only processor that it may run on; nil lets the kernel choose.
    ///   - environment: its settings. It also gets the benchmark's own environment, but no other
    ///     settings from there.
    init(
        _ name: String, _ arguments: [String] = [], processor: Int?,
        environment: [String: String] = [:], in directory: URL
    ) throws {
        try self.init(
            command: [builtProgram(name)] + arguments, processor: processor,
            environment: environment, in: directory)
    }

    /// Starts any program, which is found in PATH, with its arguments.
    init(
        command: [String], processor: Int?, environment: [String: String] = [:], in directory: URL
    ) throws {
        let path = directory.appending(path: "output-\(UUID().uuidString).log").path
        let pin = processor.map { ["taskset", "-c", "\($0)"] } ?? []
        process = try ServerProcess(
            pin + command, logPath: path,
            environment: withoutSettings(ProcessInfo.processInfo.environment)
                .merging(environment) { $1 })
        output = try FileHandle(forReadingFrom: URL(filePath: path))
        self.command = command
        StartedPrograms.add(self)
    }

    /// Keeps all threads of the benchmark itself on one processor.
    static func stay(on processor: Int, in directory: URL) throws {
        let program = try PinnedProgram(
            command: ["taskset", "-apc", "\(processor)", "\(getpid())"], processor: nil,
            in: directory)
        _ = try program.wholeOutput(limitSeconds: 20)
    }

    /// Waits for the first line that it prints.
    func firstLine() throws -> String {
        let deadline = Date(timeIntervalSinceNow: 20)
        while Date() < deadline {
            let text = printed
            if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        throw BenchmarkFault("\(name) did not start")
    }

    /// Waits for the program's end and returns its output.
    func wholeOutput(limitSeconds: Double) throws -> String {
        let deadline = Date(timeIntervalSinceNow: limitSeconds)
        while process.isRunning, Date() < deadline { usleep(10_000) }
        guard process.exitStatus == 0 else {
            throw BenchmarkFault(isRunning ? "\(name) takes too long" : "\(name) failed")
        }
        StartedPrograms.remove(self)
        return printed
    }

    /// All that it has printed, also after the folder of the file was deleted.
    private var printed: String {
        let path = "/proc/self/fd/\(output.fileDescriptor)"
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    func end() { end(with: SIGTERM) }

    /// Kills it as a crash would.
    func kill() { end(with: SIGKILL) }

    private func end(with signal: Int32) {
        StartedPrograms.remove(self)
        process.end(with: signal)
    }

    var isRunning: Bool { process.isRunning }

    /// Whether it has ended with a fault.
    var hasFailed: Bool { process.exitStatus.map { $0 != 0 } ?? false }

    func isSame(as other: PinnedProgram) -> Bool { process === other.process }

    /// The command's first words.
    var name: String {
        let program = command.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        return ([program] + command.dropFirst().prefix(2)).joined(separator: " ")
    }

    /// How it is, and the end of its output.
    var report: String {
        let state = process.exitStatus.map { "ended with \($0)" } ?? "runs"
        let lines = printed.suffix(Self.reportedCharacters)
            .split(separator: "\n").suffix(Self.reportedLines)
        guard !lines.isEmpty else { return "\(name) (\(process.identifier)) \(state); no output" }
        return "\(name) (\(process.identifier)) \(state); the end of its output:\n"
            + lines.map { "    \($0)" }.joined(separator: "\n")
    }

    /// The program's resident memory, as the kernel counts it.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.identifier)/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let pages else { throw BenchmarkFault("/proc has no memory figure of the program") }
        return pages * Int(getpagesize())
    }

    /// The most resident memory that the program has had.
    func mostResidentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line.flatMap { $0.split(separator: " ").dropFirst().first }
        guard let kilobytes = kilobytes.flatMap({ Int($0) }) else {
            throw BenchmarkFault("/proc has no memory figure of the program")
        }
        return kilobytes * 1_024
    }

    /// The processor time of the program's threads, user and system together.
    var processorSeconds: Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process.identifier, &clock) == 0,
            clock_gettime(clock, &time) == 0
        else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
