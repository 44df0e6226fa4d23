import Glibc
import Synchronization

/// A program that answers a line on its stdout for each line on its stdin.
///
/// `ask` blocks, at most for the given time. One thread uses a program at a time. Releasing the
/// object closes the program's stdin. After one more second the program is killed.
public final class LineProgram {
    /// The time in which a program should end by itself after its stdin was closed.
    private static let grace = Duration.seconds(1)

    private let process: ChildProcess
    private let input: Int32
    private let output: Int32
    private let maximumAnswerBytes: Int
    /// Bytes that were read but not returned yet.
    private var pending: [UInt8] = []
    private var wasStopped = false

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - command: the command for `/bin/sh -c`.
    ///   - maximumAnswerBytes: the limit for one answered line.
    ///   - network: whether the program may use the network.
    public init(
        _ command: String, maximumAnswerBytes: Int, network: NetworkUse = .denied
    ) throws(ChildProgramError) {
        let toProgram = try Self.pipe()
        let fromProgram: Ends
        do throws(ChildProgramError) {
            fromProgram = try Self.pipe()
        } catch {
            toProgram.close()
            throw error
        }
        // The program has its own copies of these ends. Ours would hide that the program closed its
        // end.
        defer {
            close(toProgram.reading)
            close(fromProgram.writing)
        }
        do throws(ChildProgramError) {
            process = try ChildProcess(
                command, input: toProgram.reading, output: fromProgram.writing, network: network)
        } catch {
            close(toProgram.writing)
            close(fromProgram.reading)
            throw error
        }
        input = toProgram.writing
        output = fromProgram.reading
        self.maximumAnswerBytes = maximumAnswerBytes
        for end in [input, output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(input)
        process.end(within: wasStopped ? .zero : Self.grace)
        close(output)
    }

    /// The reason why the program can't answer any more. Nil when it can.
    public var fault: ChildProgramError? {
        do throws(ChildProgramError) {
            while try read() {}
        } catch {
            return error
        }
        return pending.isEmpty ? nil : ChildProgramError(.unasked, "wrote an unasked line")
    }

    /// Writes a line and waits for the line that answers it.
    ///
    /// - Parameters:
    ///   - line: with its newline.
    ///   - limit: the time limit for writing and answering together.
    /// - Returns: the answer without its newline.
    /// - Throws: `ChildProgramError`. The caller then releases the program, which is killed at
    ///   once.
    public func ask(_ line: [UInt8], within limit: Duration) throws(ChildProgramError) -> [UInt8] {
        do throws(ChildProgramError) {
            return try exchange(line, until: .now + limit, limit)
        } catch {
            wasStopped = true
            throw error
        }
    }

    /// Makes the release kill the program at once, because its answers make no sense.
    public func stop() { wasStopped = true }

    private func exchange(
        _ line: [UInt8], until deadline: ContinuousClock.Instant, _ limit: Duration
    ) throws(ChildProgramError) -> [UInt8] {
        var written = 0
        while true {
            // The program may write while it reads, so both sides are served until the answer is
            // complete.
            if try read(), let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                guard written == line.count else {
                    throw ChildProgramError(.unasked, "answered before it read the line")
                }
                defer { pending.removeSubrange(...end) }
                return Array(pending[..<end])
            }
            if written < line.count { written += try write(line[written...]) }
            let left = deadline - .now
            guard left > .zero else {
                throw ChildProgramError(.tooSlow, "gave no answer within \(limit)")
            }
            wait(toWrite: written < line.count, at: left)
        }
    }

    /// Reads the available bytes. Returns false when there are none.
    private func read() throws(ChildProgramError) -> Bool {
        let capacity = 65_536
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            count = Glibc.read(output, buffer.baseAddress, capacity)
            filled = max(0, count)
        }
        let code = errno
        guard count != 0 else {
            // The output closes a moment before the process is reaped.
            process.end(within: .milliseconds(200))
            throw ChildProgramError(.ended, "ended \(process.ending ?? "")")
        }
        guard count > 0 else {
            guard code == EAGAIN || code == EINTR else {
                throw ChildProgramError(.notReadable, "can't be read", systemCode: code)
            }
            return false
        }
        pending += chunk
        let lineBytes = pending.firstIndex(of: UInt8(ascii: "\n")) ?? pending.count
        guard lineBytes <= maximumAnswerBytes, pending.count <= maximumAnswerBytes + capacity else {
            throw ChildProgramError(
                .lineTooLong, "wrote a line of more than \(maximumAnswerBytes) bytes")
        }
        return true
    }

    /// Writes bytes and returns their number. A program that stopped reading is not noticed here,
    /// but by its output.
    private func write(_ bytes: ArraySlice<UInt8>) throws(ChildProgramError) -> Int {
        let (count, code) = writeWithoutSignal(bytes, to: input)
        if count >= 0 { return count }
        switch code {
        case EAGAIN, EINTR: return 0
        case EPIPE:
            process.end(within: .milliseconds(200))
            throw ChildProgramError(.ended, "ended \(process.ending ?? "")")
        default: throw ChildProgramError(.notReadable, "can't be written to", systemCode: code)
        }
    }

    private func wait(toWrite: Bool, at most: Duration) {
        var ends = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: toWrite ? input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        // One second at most, so that rounded-off milliseconds never add up.
        let milliseconds = Int32(min(1_000, most / .milliseconds(1) + 1))
        _ = poll(&ends, nfds_t(ends.count), milliseconds)
    }

    private struct Ends {
        var reading: Int32
        var writing: Int32

        func close() {
            Glibc.close(reading)
            Glibc.close(writing)
        }
    }

    private static func pipe() throws(ChildProgramError) -> Ends {
        var ends: [Int32] = [-1, -1]
        let code = descriptorsInMotion.withLock { _ in
            guard Glibc.pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        guard code == 0 else {
            throw ChildProgramError(.notStarted, "could not get a pipe", systemCode: code)
        }
        return Ends(reading: ends[0], writing: ends[1])
    }
}

/// Writes to a pipe without raising SIGPIPE, which would end a process that does not ignore it. The
/// signal is blocked for this thread and then removed. Returns the count, or -1 and the error code.
private func writeWithoutSignal(
    _ bytes: ArraySlice<UInt8>, to end: Int32
) -> (count: Int, code: Int32) {
    var pipeSignal = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let count = bytes.withUnsafeBytes { Glibc.write(end, $0.baseAddress, $0.count) }
    let code = errno
    if count < 0, code == EPIPE {
        var noTime = timespec()
        _ = sigtimedwait(&pipeSignal, nil, &noTime)
    }
    return (count, code)
}
