import Media
import Testing

@Suite struct MediaTypeTests {
    @Test(
        "The type of a file is recognised by its bytes",
        arguments: [
            ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], MediaType.png),
            ([0xff, 0xd8, 0xff, 0xe0], .jpeg),
            (Array("RIFF....WEBPVP8 ".utf8), .webp),
            (Array("%PDF-1.7\n".utf8), .pdf),
            (Array("ID3\u{4}".utf8), .mp3),
            ([0xff, 0xfb, 0x90, 0x64], .mp3),
            (Array("OggS".utf8), .ogg),
            (Array("\0\0\0\u{18}ftypisom".utf8), .mp4),
            ([0x1a, 0x45, 0xdf, 0xa3], .webm),
            (Array("<svg/>".utf8), .svg),
            (Array("\u{feff}<?xml version='1.0'?>\n<!-- plan --><svg width='1'>".utf8), .svg),
            (Array("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\"><svg>".utf8), .svg),
        ] as [([UInt8], MediaType)])
    func known(_ bytes: [UInt8], _ type: MediaType) { #expect(MediaType(sniffing: bytes) == type) }

    @Test(
        "Other bytes have no type",
        arguments: [
            [], Array("<html><svg>".utf8), Array("<svgx>".utf8), Array("GIF89a".utf8),
            Array("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>".utf8), [0xff, 0xfb, 0xf0, 0],
            [0xff, 0xfe, 0x3c, 0x00], Array("RIFF....WAVE".utf8), [0x3c, 0x80],
        ] as [[UInt8]])
    func unknown(_ bytes: [UInt8]) { #expect(MediaType(sniffing: bytes) == nil) }

    @Test("A character that is cut off at the end of the examined part does no harm")
    func cutCharacter() {
        for filler in 4_060..<4_096 {
            let text = "<!--" + String(repeating: "x", count: filler) + "äöü€😀--><svg>"
            // The comment ends before or after the part that is examined. Neither may crash.
            let type = MediaType(sniffing: Array(text.utf8))
            #expect(type == nil || type == .svg)
        }
    }
}
