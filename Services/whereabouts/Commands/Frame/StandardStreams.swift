import Glibc

/// Writes a line to stdout without buffering, so that a reader of a pipe sees it at once.
public func writeLineToStandardOutput(_ line: String) {
    writeAll(line + "\n", to: STDOUT_FILENO)
}

public func writeLineToStandardError(_ line: String) {
    writeAll(line + "\n", to: STDERR_FILENO)
}

/// Writes the text to stderr without a line feed.
func writeToStandardError(_ text: String) {
    writeAll(text, to: STDERR_FILENO)
}

/// Writes all of the text; drops the rest when its reader has closed the stream.
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
