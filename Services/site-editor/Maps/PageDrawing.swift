import ChildProgram
import Foundation
import HTTP
import Media
import ServiceHost
import Synchronization
import Wire

/// Draws pages of PDF files with poppler's pdftoppm. It runs as a process with limits, since a file
/// from outside may try to break its reader.
enum PageDrawing {
    private static let seconds = 20
    private static let memoryBytes = 1 << 30
    /// One page at a time, since each may use a core and a gigabyte.
    private static let queue = DispatchQueue(label: "page-drawing")

    /// The page as PNG.
    /// - Throws: a `Problem` for a file that can't be drawn.
    static func picture(of file: [UInt8], page: Int, dotsPerInch: Int) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result { try draw(file, page: page, dotsPerInch: dotsPerInch) })
            }
        }
    }

    private static func draw(_ file: [UInt8], page: Int, dotsPerInch: Int) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(file).write(to: folder.appending(path: "plan.pdf"))
        // The side has a limit too: a page may claim to be a kilometre wide.
        let command = """
            cd '\(folder.path)' && ulimit -f 400000 && exec pdftoppm -png -singlefile \
            -f \(page) -l \(page) -r \(dotsPerInch) plan.pdf page 2>/dev/null
            """
        do {
            try runCommand(command, within: .seconds(seconds), memoryBytes: memoryBytes)
        } catch {
            // Poppler ends with status 99 when the requested page does not exist.
            let detail =
                error.reason.contains("status 99")
                ? "The file has no page \(page)."
                : "Page \(page) can't be drawn: pdftoppm \(error.reason)."
            throw Problem(.pageUnreadable, detail)
        }
        guard let data = try? Data(contentsOf: folder.appending(path: "page.png")),
            data.count <= MediaType.png.maximumBytes
        else {
            throw Problem(
                .pageUnreadable,
                "Page \(page) does not exist, or its picture is too large: "
                    + "ask for fewer dots per inch."
            )
        }
        return [UInt8](data)
    }
}
