import Foundation
import Pictures
import Testing

@Suite("PDF documents") struct PDFDocumentTests {
    private func page(_ text: String) -> [UInt8] {
        Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="794" height="1123" viewBox="0 0 794 1123"
            font-family="DejaVu Sans"><text x="100" y="200" font-size="40">\(text)</text></svg>
            """.utf8)
    }

    @Test("Each drawing is a page of A4 with its text")
    func pages() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "pages-\(UUID().uuidString).pdf")
        try Data(PDFDocument.pdf(pages: [page("First"), page("Second")])).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let facts = try output("pdfinfo", file.path)
        #expect(facts.contains(/Pages:\s+2\n/) && facts.contains("(A4)"))
        let text = try output("pdftotext", file.path, "-")
        #expect(
            text.split(separator: "\u{c}").map { $0.filter(\.isLetter) }.prefix(2) == [
                "First", "Second",
            ])
    }

    private func output(_ command: String...) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    @Test("A drawing that can't be read is refused")
    func malformed() {
        #expect(throws: PictureError.self) {
            try PDFDocument.pdf(pages: [page("First"), Array("<svg".utf8)])
        }
    }
}
