import Foundation

/// The path of an executable of this package: it lies beside the test bundle.
public func builtProgram(_ name: String) -> String {
    let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return test.deletingLastPathComponent().appending(path: name).path
}
