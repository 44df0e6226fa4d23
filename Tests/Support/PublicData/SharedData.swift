import Foundation
import Repository

/// The folder of the public data sets: WHEREABOUTS_SHARED, or otherwise `shared` beside the
/// project. It may be missing.
public enum SharedData {
    public static let folder: String = {
        if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_SHARED"] { return path }
        return repository.deletingLastPathComponent().appending(path: "shared").path()
    }()

    /// The path of a data set. Nil, with a printed note that the test is skipped, if it is missing.
    public static func path(_ name: String) -> String? {
        let path = "\(folder)/data/\(name)"
        if FileManager.default.fileExists(atPath: path) { return path }
        print("skipped: \(path) is absent; the data sets are optional (WHEREABOUTS_SHARED)")
        return nil
    }
}
