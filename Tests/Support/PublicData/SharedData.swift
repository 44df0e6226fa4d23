import Foundation
import Repository

/// Where the public data sets lie, if they do: WHEREABOUTS_SHARED, else `shared` beside the
/// project.
public enum SharedData {
    public static let folder: String = {
        if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_SHARED"] { return path }
        return repository.deletingLastPathComponent().appending(path: "shared").path()
    }()

    /// The path of a data set, or nil after saying that the test is skipped.
    public static func path(_ name: String) -> String? {
        let path = "\(folder)/data/\(name)"
        if FileManager.default.fileExists(atPath: path) { return path }
        print("skipped: \(path) is absent; the data sets are optional (WHEREABOUTS_SHARED)")
        return nil
    }
}
