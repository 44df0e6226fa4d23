import Foundation

/// The path of one of this package's programs. It lies beside the test bundle, or in the folder
/// that `WHEREABOUTS_PROGRAMS` names, such as a release build's.
public func builtProgram(_ name: String) -> String {
    if let folder = ProcessInfo.processInfo.environment["WHEREABOUTS_PROGRAMS"] {
        return "\(folder)/\(name)"
    }
    let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return test.deletingLastPathComponent().appending(path: name).path
}
