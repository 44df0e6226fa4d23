import Glibc

/// What a program that we start sees of our environment: what it needs to find files and to write
/// text. Ours holds passwords, so nothing else is handed on; who needs more writes it into the
/// command.
enum ProgramEnvironment {
    /// Handed on where we have them, and what they are where we don't.
    private static let handedOn: [(name: String, otherwise: String?)] = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/"), ("TMPDIR", nil), ("TZ", nil),
        ("LANG", "C.UTF-8"),
    ]

    /// `NAME=value`, as a program gets them.
    static func variables() -> [String] {
        handedOn.compactMap { name, otherwise in
            let value = getenv(name).map { String(cString: $0) } ?? otherwise
            return value.map { "\(name)=\($0)" }
        }
    }
}
