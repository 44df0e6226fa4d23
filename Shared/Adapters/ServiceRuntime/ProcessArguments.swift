import Glibc

/// The process's command line as words, beginning with the program's name.
///
/// A preloaded library such as libfaketime may keep Swift's runtime from reading them. They then
/// come from the kernel.
public func processArguments() -> [String] {
    let arguments = CommandLine.arguments
    return arguments.isEmpty ? argumentsOfKernel() : arguments
}

/// The words as the kernel stores them, each ending with a zero byte.
func argumentsOfKernel() -> [String] {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
    }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
}
