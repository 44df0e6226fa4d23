import Foundation

/// The path of an executable of this package: it lies beside the test bundle, or in the folder that
/// `WHEREABOUTS_PROGRAMS` names, such as that of a release build.
public func builtProgram(_ name: String) -> String {
    if let folder = ProcessInfo.processInfo.environment["WHEREABOUTS_PROGRAMS"] {
        return "\(folder)/\(name)"
    }
    let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return test.deletingLastPathComponent().appending(path: name).path
}
