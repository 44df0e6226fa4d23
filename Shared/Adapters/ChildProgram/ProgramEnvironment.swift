import Glibc

/// The environment of a program that we start: only variables for finding files and writing text.
/// Our own environment holds passwords, so nothing else is passed on. If a program needs more, its
/// command has to set it.
enum ProgramEnvironment {
    /// The variables that are passed on, with the value for those that we lack.
    private static let handedOn: [(name: String, otherwise: String?)] = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/"), ("TMPDIR", nil), ("TZ", nil),
        ("LANG", "C.UTF-8"),
    ]

    /// The variables as `NAME=value`, the form in which a program gets them.
    static func variables() -> [String] {
        handedOn.compactMap { name, otherwise in
            let value = getenv(name).map { String(cString: $0) } ?? otherwise
            return value.map { "\(name)=\($0)" }
        }
    }
}
