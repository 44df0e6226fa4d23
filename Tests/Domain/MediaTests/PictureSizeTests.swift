import Media
import Testing

@Suite struct PictureSizeTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 4, 176, 0, 0, 3, 32]
    private static let jpeg: [UInt8] = [
        0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9, 0xff, 0xc2, 0, 17, 8, 3, 32,
        4,
        176, 3, 1,
    ]

    @Test("The size of PNG, progressive JPEG and the three forms of WebP is read")
    func headers() {
        let expected = PictureSize(widthPixels: 1_200, heightPixels: 800)
        #expect(PictureSize(of: .png, Self.png) == expected)
        #expect(PictureSize(of: .jpeg, Self.jpeg) == expected)
        let riff = Array("RIFF....WEBP".utf8)
        let lossy = riff + Array("VP8 ".utf8) + [UInt8](repeating: 0, count: 10)
        #expect(PictureSize(of: .webp, lossy + [0xb0, 0x44, 0x20, 0x83]) == expected)
        // Width and height minus one, 1199 and 799, in 14 bits each after the signature byte.
        let bits = UInt32(1_199 | 799 << 14)
        let lossless = riff + Array("VP8L".utf8) + [0, 0, 0, 0, 0x2f]
        let tail = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        #expect(PictureSize(of: .webp, lossless + tail + [0, 0, 0, 0, 0]) == expected)
        let extended = riff + Array("VP8X".utf8) + [UInt8](repeating: 0, count: 8)
        #expect(PictureSize(of: .webp, extended + [0xaf, 4, 0, 0x1f, 3, 0]) == expected)
    }

    @Test(
        "A drawing's size is that of its svg tag, else of its view box",
        arguments: [
            ("<svg width=\"1200\" height='799.2px'>", 1_200, 800),
            ("<svg viewBox=\"0 0 1200 800\" width='100%'>", 1_200, 800),
            ("<?xml version='1.0'?><svg\n viewBox='-5,-5, 12.5 8'>", 13, 8),
        ])
    func drawings(_ text: String, _ width: Int, _ height: Int) {
        #expect(
            PictureSize(of: .svg, Array(text.utf8))
                == PictureSize(widthPixels: width, heightPixels: height))
    }

    @Test("Files that are cut off at any byte, empty or huge have no size, and crash nothing")
    func broken() {
        for count in 0..<24 { #expect(PictureSize(of: .png, Array(Self.png.prefix(count))) == nil) }
        for count in 0..<23 {
            #expect(PictureSize(of: .jpeg, Array(Self.jpeg.prefix(count))) == nil)
        }
        for count in 0..<30 {
            let bytes = Array("RIFF....WEBPVP8X".utf8) + [UInt8](repeating: 9, count: 14)
            #expect(PictureSize(of: .webp, Array(bytes.prefix(count))) == nil)
        }
        var huge = Self.png
        huge[16] = 0xff
        #expect(PictureSize(of: .png, huge) == nil)
        #expect(PictureSize(of: .svg, Array("<svg width='1e99' height='1'>".utf8)) == nil)
        #expect(PictureSize(of: .svg, Array("<svg width='0' height='1'>".utf8)) == nil)
        #expect(PictureSize(of: .svg, Array("<svg".utf8)) == nil)
        #expect(PictureSize(of: .mp3, [0xff, 0xfb]) == nil)
    }
}

@Suite struct ByteRangeTests {
    @Test(
        "One range of bytes is a part, within the file",
        arguments: [
            ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=90-", .part(90..<100)),
            ("bytes=90-500", .part(90..<100)), ("bytes=-10", .part(90..<100)),
            ("bytes=-500", .part(0..<100)), (" bytes = 5-5 ", .part(5..<6)),
            ("bytes=99-99999999999999999999", .part(99..<100)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=9-5", .whole), ("bytes=0-1,5-6", .whole), ("bytes=-", .whole),
            ("pages=1-2", .whole), ("bytes=a-b", .whole),
        ])
    func fields(_ field: String, _ expected: ByteRange) {
        #expect(ByteRange(field, of: 100) == expected)
    }

    @Test("Without the field the whole file is sent; an empty file has no part")
    func edges() {
        #expect(ByteRange(nil, of: 100) == .whole)
        #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-5", of: 0) == .unsatisfiable)
    }
}
