import Glibc

/// Runs a program to its end. The call blocks.
enum ToolRun {
    /// Its output, or the fault: it can't start, fails, writes too much or takes too long. Messages
    /// to standard error are part of the output, since they are the reason of a failure.
    ///
    /// - Parameter stop: ends the program early, with a fault.
    static func output(
        of words: [String], limitSeconds: Double, mostBytes: Int, stop: ToolStop = ToolStop()
    ) -> Result<[UInt8], ScannerFault> {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(ScannerFault("pipe", errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var identifier = pid_t()
        let failure = spawn(words, output: ends[1], &identifier)
        close(ends[1])
        guard failure == 0 else { return .failure(ScannerFault(words[0], failure)) }
        var bytes: [UInt8] = []
        let fault = read(ends[0], &bytes, limitSeconds, mostBytes, stop)
        if fault != nil { kill(identifier, SIGKILL) }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        if let fault { return .failure(ScannerFault("\(words[0]) \(fault)")) }
        guard status == 0 else {
            let text = String(decoding: bytes.suffix(200), as: UTF8.self)
            let code = status >> 8 & 0xFF
            return .failure(
                ScannerFault("\(words[0]) ended with status \(code): \(text.singleLine)"))
        }
        return .success(bytes)
    }

    /// How soon a stop is noticed.
    private static let millisecondsBetweenLooks = 50.0

    private static func read(
        _ end: Int32, _ bytes: inout [UInt8], _ limitSeconds: Double, _ mostBytes: Int,
        _ stop: ToolStop
    ) -> String? {
        let deadline = ContinuousClock.now + .seconds(limitSeconds)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return "took longer than \(Int(limitSeconds)) s" }
            if stop.isStopped { return "was stopped" }
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
