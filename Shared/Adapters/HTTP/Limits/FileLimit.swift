import Glibc

/// The number of files, and so of connections, that the process may have open.
enum FileLimit {
    /// Files kept free for the log, the database and other services.
    static let reserve = 256
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Raises the soft limit as far as the connections need and the hard limit allows. Returns how
    /// many connections fit.
    static func connections(_ wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(Self.openFiles, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + reserve)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            setrlimit(Self.openFiles, &limit)
            getrlimit(Self.openFiles, &limit)
        }
        guard limit.rlim_cur < needed else { return wanted }
        return max(16, Int(limit.rlim_cur) - reserve)
    }
}
