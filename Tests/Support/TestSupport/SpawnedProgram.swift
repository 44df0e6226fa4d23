import Glibc

/// A program that may leave child processes running. Foundation's Process would wait for those too,
/// because they inherit its socket.
struct SpawnedProgram {
    private let identifier: pid_t

    /// Starts a program. The first argument is its path. Its output goes to the file.
    init(_ arguments: [String], outputPath: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Closes inherited sockets of Foundation, or another Process would wait for this program.
        for file in 3..<Int32(1_024) { posix_spawn_file_actions_addclose(&actions, file) }
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        let failure = posix_spawn(&identifier, arguments[0], &actions, nil, &words, environ)
        guard failure == 0 else {
            throw TestServerError(
                "can't start \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        self.identifier = identifier
    }

    /// Waits for the program's end. Returns its exit status, or minus the number of the signal that
    /// ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }
}
