import Pictures
import Testing

@Suite("PNGPicture") struct PNGPictureTests {
    /// A drawing two units wide and one high.
    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">
        <rect width="200" height="100" fill="#ff0000"/><text x="10" y="50">Tŷ</text></svg>
        """

    /// The width and height from the file's first chunk.
    private static func size(_ file: [UInt8]) -> [Int] {
        [16, 20].map { start in file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test("A drawing becomes a PNG file of the requested width", arguments: [1, 300, 1_000])
    func width(width: Int) throws {
        let file = try PNGPicture.png(svg: [UInt8](Self.drawing.utf8), widthPixels: width)
        #expect(file.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(Self.size(file) == [width, (width + 1) / 2])
    }

    @Test(
        "Bytes that are not a drawing are refused",
        arguments: [
            "", "<svg", "hello", "<html/>", "<svg xmlns=\"http://www.w3.org/2000/svg\"><a></svg>",
        ])
    func malformed(text: String) {
        #expect(throws: PictureError.self) {
            try PNGPicture.png(svg: [UInt8](text.utf8), widthPixels: 100)
        }
    }

    @Test("A picture of too many pixels is refused before it is drawn")
    func tooLarge() {
        let tall = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"100000\"/>"
        #expect {
            try PNGPicture.png(svg: [UInt8](tall.utf8), widthPixels: 1_000)
        } throws: {
            ($0 as? PictureError)?.code == .tooLarge
        }
    }

    @Test("Files that a drawing names are not read")
    func fetchesNothing() throws {
        func file(_ inner: String) throws -> [UInt8] {
            let svg =
                #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">\#(inner)</svg>"#
            return try PNGPicture.png(svg: [UInt8](svg.utf8), widthPixels: 20)
        }
        let image =
            "<image href=\"file:///usr/share/pixmaps/debian-logo.png\" width=\"20\" height=\"20\"/>"
        #expect(try file(image) == file(""))
    }
}
