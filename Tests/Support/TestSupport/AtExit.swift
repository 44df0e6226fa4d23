import Foundation
import Synchronization

/// The clean-up at the regular end of the test process.
public enum AtExit {
    private static let directories = Mutex<[String]>([])
    private static let registered: Void = {
        atexit { AtExit.run() }
    }()

    /// Ends every process of the directory's servers, then deletes the directory.
    public static func remove(_ path: String) {
        _ = registered
        directories.withLock { $0.append(path) }
    }

    private static func run() {
        for path in directories.withLock({ $0 }) {
            stopPostgres(in: path)
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The first line of postmaster.pid is the server's process id. The server belongs to this
    /// process, like the directory.
    private static func stopPostgres(in path: String) {
        let file = "\(path)/data/postmaster.pid"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let line = text.split(separator: "\n").first, let server = pid_t(line)
        else { return }
        kill(server, SIGQUIT)
        for _ in 0..<500 {
            // No other process collects it any more. Until it is collected it would seem to run.
            waitpid(server, nil, WNOHANG)
            guard kill(server, 0) == 0 else { return }
            usleep(10_000)
        }
    }
}
