import Glibc
import Synchronization

/// Runs a program to its end. The call blocks, but not for longer than its limit and two seconds.
enum ToolRun {
    /// How long a killed program may take to end. One that hangs in a driver does not.
    private static let secondsAfterKill = 2.0
    /// Killed programs that have not ended. While there is one, no other is started, so a driver
    /// that hangs costs one process.
    private static let unended = Mutex<Set<pid_t>>([])

    /// Its output, or the fault: it can't start, fails, writes too much or takes too long. Messages
    /// to standard error are part of the output, since they are the reason of a failure.
    ///
    /// - Parameter stop: ends the program early, with a fault.
    static func output(
        of words: [String], limitSeconds: Double, mostBytes: Int, stop: ToolStop = ToolStop()
    ) -> Result<[UInt8], ScannerFault> {
        guard reap() else {
            return .failure(ScannerFault("\(words[0]): an earlier one was killed and does not end"))
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(ScannerFault("pipe", errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var identifier = pid_t()
        let failure = spawn(words, output: ends[1], &identifier)
        close(ends[1])
        guard failure == 0 else { return .failure(ScannerFault(words[0], failure)) }
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(limitSeconds)
        var fault = read(ends[0], &bytes, deadline, mostBytes, stop)
        var status: Int32?
        // It may have closed its output and go on.
        if fault == nil { status = end(of: identifier, by: deadline, stop) }
        if status == nil {
            kill(identifier, SIGKILL)
            let limit = ContinuousClock.now + .seconds(secondsAfterKill)
            if end(of: identifier, by: limit) == nil {
                _ = unended.withLock { $0.insert(identifier) }
            }
            fault = fault ?? (stop.isStopped ? stopped : late)
        }
        if let fault { return .failure(ScannerFault("\(words[0]) \(fault)")) }
        guard status == 0 else {
            let text = String(decoding: bytes.suffix(200), as: UTF8.self)
            let code = (status ?? 0) >> 8 & 0xFF
            return .failure(
                ScannerFault("\(words[0]) ended with status \(code): \(text.singleLine)"))
        }
        return .success(bytes)
    }

    /// How soon a stop is noticed.
    private static let millisecondsBetweenLooks = 50.0
    private static let (stopped, late) = ("was stopped", "took too long")

    /// The status of a process that has ended; nil if it goes on at the deadline or at a stop.
    private static func end(
        of identifier: pid_t, by deadline: ContinuousClock.Instant, _ stop: ToolStop? = nil
    ) -> Int32? {
        var pauseMilliseconds = 1.0
        while true {
            var status: Int32 = 0
            let ended = waitpid(identifier, &status, WNOHANG)
            // Without such a child there is nothing to wait for.
            if ended == identifier || ended < 0 && errno != EINTR { return status }
            guard ContinuousClock.now < deadline, stop?.isStopped != true else { return nil }
            usleep(UInt32(pauseMilliseconds * 1_000))
            pauseMilliseconds = min(2 * pauseMilliseconds, millisecondsBetweenLooks)
        }
    }

    /// Whether all programs that were killed have ended by now.
    private static func reap() -> Bool {
        unended.withLock { unended in
            unended = unended.filter { end(of: $0, by: .now) == nil }
            return unended.isEmpty
        }
    }

    private static func read(
        _ end: Int32, _ bytes: inout [UInt8], _ deadline: ContinuousClock.Instant,
        _ mostBytes: Int, _ stop: ToolStop
    ) -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return late }
            if stop.isStopped { return stopped }
            var waiting = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(min(left + 1, millisecondsBetweenLooks))) > 0 else {
                continue
            }
            let count = Glibc.read(end, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            guard bytes.count <= mostBytes else { return "wrote more than \(mostBytes) bytes" }
        }
    }

    /// Zero, or an error code.
    private static func spawn(
        _ words: [String], output: Int32, _ identifier: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        return posix_spawnp(&identifier, words[0], &actions, nil, &arguments, environ)
    }
}

extension String {
    /// The text with its line breaks as spaces.
    fileprivate var singleLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
