import Foundation
import Synchronization

/// What is to be done when the test process ends in good order.
public enum AtExit {
    private static let directories = Mutex<[String]>([])
    private static let registered: Void = {
        atexit { AtExit.run() }
    }()

    /// Ends whoever still works in the directory's servers, then deletes it.
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

    /// The first line of postmaster.pid is the server's process; it is ours, as the directory is.
    private static func stopPostgres(in path: String) {
        let file = "\(path)/data/postmaster.pid"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let line = text.split(separator: "\n").first, let server = pid_t(line)
        else { return }
        kill(server, SIGQUIT)
        for _ in 0..<500 {
            // Nobody else collects it any more, and until then it would seem to run.
            waitpid(server, nil, WNOHANG)
            guard kill(server, 0) == 0 else { return }
            usleep(10_000)
        }
    }
}
