import Foundation
import Testing

@testable import ChildProgram

@Suite(.serialized) struct SecludedProgramTests {
    private let ample = Duration.seconds(60)

    /// The program's answer to one line.
    private func answer(_ command: String, network: NetworkUse = .denied) throws -> String {
        let program = try LineProgram(command, maximumAnswerBytes: 100_000, network: network)
        return String(decoding: try program.ask(Array("go\n".utf8), within: ample), as: UTF8.self)
    }

    private func python(_ expression: String) -> String {
        """
        exec /usr/bin/python3 -u -c '
        import ctypes, errno, os, socket, subprocess, sys
        def tried(attempt):
            try:
                attempt()
            except OSError as error:
                return errno.errorcode[error.errno]
            return "done"
        for line in sys.stdin:
            print(\(expression))
        '
        """
    }

    @Test("A program sees only the paths of our environment, and no passwords")
    func environment() throws {
        setenv("PGPASSWORD", "a-password", 1)
        setenv("KAFKA_SASL_PASSWORD", "a-password", 1)
        defer {
            unsetenv("PGPASSWORD")
            unsetenv("KAFKA_SASL_PASSWORD")
        }
        let names = try answer("read -r line; env | cut -d= -f1 | sort | tr '\\n' ' '; echo")
        // The shell sets PWD, SHLVL, OLDPWD and _ itself.
        let expected: Set = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "PWD", "OLDPWD", "SHLVL", "_"]
        let all = names.split(separator: " ").map { String($0) }
        #expect(all.filter { !expected.contains($0) } == [])
        #expect(names.contains("PATH "))
        let quiet = "! env | grep -q a-password"
        try runCommand(quiet, within: ample, memoryBytes: 1 << 30)
    }

    @Test(
        "A program has no network, not through children, local sockets or io_uring either")
    func network() throws {
        let families = "socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK"
        let all = "*[tried(lambda: socket.socket(f, socket.SOCK_DGRAM)) for f in (\(families))]"
        #expect(try answer(python(all)) == "EACCES EACCES EACCES EACCES")
        let child = #"subprocess.run([sys.executable, "-c", "import socket; socket.socket()"])"#
        #expect(try answer(python("\(child).returncode")) == "1")
        let ring = "ctypes.CDLL(None, use_errno=True).syscall(425, 1, 0), ctypes.get_errno()"
        #expect(try answer(python(ring)) == "-1 38")
        // A connected pair of sockets is no network, and many programs use one to talk to their
        // children.
        #expect(try answer(python("tried(socket.socketpair)")) == "done")
        #expect(throws: ChildProgramError.self) {
            try runCommand(
                "/usr/bin/python3 -c 'import socket; socket.socket()'", within: ample,
                memoryBytes: 1 << 30)
        }
    }

    @Test("A program with the operator's permission has the network, and so have our own threads")
    func allowed() throws {
        let attempt = python("tried(socket.socket)")
        #expect(try answer(attempt) == "EACCES")
        #expect(try answer(attempt, network: .allowed) == "done")
        let own = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(own >= 0)
        close(own)
    }

    @Test("After the first program starts, programs of the same user can't read our memory")
    func memory() throws {
        _ = try answer("read -r line; echo")
        #expect(isOurMemoryHidden)
    }
}
