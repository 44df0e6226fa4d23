import Glibc

/// Writes a line to stdout at once, so that a reader behind a pipe sees it.
public func writeLineToStandardOutput(_ line: String) {
    writeAll(line + "\n", to: STDOUT_FILENO)
}

/// Writes a line to stderr.
public func writeLineToStandardError(_ line: String) {
    writeAll(line + "\n", to: STDERR_FILENO)
}

/// Writes the text as it is.
func writeToStandardError(_ text: String) {
    writeAll(text, to: STDERR_FILENO)
}

/// What a reader that went away does not take is dropped.
private func writeAll(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
