import JSON
import SeededRandomness
import Testing

@Suite("JSONWriter") struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(capacity: 1)
        write(&writer)
        return writer.finishText()
    }

    @Test("commas come between members and between elements")
    func commas() {
        let written = text { writer in
            writer.beginObject()
            writer.field("a", 1)
            writer.name("b")
            writer.beginArray()
            writer.null()
            writer.beginObject()
            writer.endObject()
            writer.string("x")
            writer.endArray()
            writer.field("c", true)
            writer.endObject()
        }
        #expect(written == #"{"a":1,"b":[null,{},"x"],"c":true}"#)
    }

    @Test("Nothing is written beyond the buffer, whatever room is left", arguments: 64...128)
    func room(capacity: Int) throws {
        // An empty name and one with only escaped bytes, after a comma. A writer that reserved room
        // for the name alone was one byte short for the colon. If it writes beyond its buffer,
        // `finishText` ends the process.
        for name in ["", "\u{1}", "\u{1}\u{2}", "\"", "x"] {
            for filling in 0..<40 {
                var writer = JSONWriter(capacity: capacity)
                writer.beginObject()
                writer.name("a")
                writer.raw(UnsafeRawBufferPointer(start: nil, count: 0))
                writer.string(String(repeating: "b", count: filling / 7))
                for _ in 0..<filling { writer.null() }
                writer.name(name)
                writer.integer(1)
                writer.endObject()
                let text = writer.finishText()
                #expect(text.hasSuffix(":1}"))
                #expect(text.utf8.count >= 6 + 5 * filling)
            }
        }
    }

    @Test("absent optional fields are left out")
    func optionals() {
        let written = text { writer in
            writer.beginObject()
            writer.field("a", Int?.none)
            writer.field("b", String?.none)
            writer.field("c", Double?.none)
            writer.field("d", Double?.none, decimals: 2)
            writer.field("e", microseconds: nil)
            writer.field("f", Int?.some(3))
            writer.endObject()
        }
        #expect(written == #"{"f":3}"#)
    }

    @Test(
        "integers are written with all digits",
        arguments: [0, 7, 10, 99, 100, -1, -62, 12_345, .max, .min] as [Int])
    func integers(value: Int) {
        #expect(text { $0.integer(value) } == "\(value)")
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
    }

    @Test(
        "a written double is read back as the same double",
        arguments: [
            (0, "0"), (-0.0, "-0.0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (0.0001, "0.0001"),
            (12.3456, "12.3456"), (-0.0625, "-0.0625"), (1e15, "1000000000000000.0"),
            (1e16, "1e+16"), (1e300, "1e+300"),
            (0.1 + 0.2, "0.30000000000000004"), (.leastNonzeroMagnitude, "5e-324"),
            (51.5129, "51.5129"),
        ] as [(Double, String)])
    func doubles(value: Double, expected: String) {
        #expect(text { $0.number(value) } == expected)
        #expect(Double(expected) == value)
    }

    @Test("random doubles with few or many decimals are read back exactly")
    func randomDoubles() {
        var generator = SeededRandom(seed: 1)
        for _ in 0..<5_000 {
            let bits = Double(bitPattern: generator.next())
            let short = Double(Int64(bitPattern: generator.next()) >> 24) / 10_000
            for value in [bits, short] where value.isFinite {
                #expect(Double(text { $0.number(value) }) == value)
            }
        }
    }

    @Test(
        "fixed decimals are rounded and zeros at the end are left out",
        arguments: [
            (12.0, 3, "12"), (12.3456, 3, "12.346"), (12.5, 3, "12.5"), (-0.0004, 3, "0"),
            (-0.0006, 3, "-0.001"), (0.007, 2, "0.01"), (1e20, 3, "1e+20"), (2.5, 0, "3"),
            (-122.4, 3, "-122.4"), (51.512_912_345_67, 9, "51.512912346"),
        ] as [(Double, Int, String)])
    func fixedDecimals(value: Double, decimals: Int, expected: String) {
        #expect(text { $0.number(value, decimals: decimals) } == expected)
    }

    @Test("values without a JSON form are written as null")
    func notFinite() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(text { $0.number(value) } == "null")
            #expect(text { $0.number(value, decimals: 2) } == "null")
        }
    }

    @Test("quotes, backslashes and control characters are escaped")
    func escapes() {
        #expect(
            text { $0.string("a\"b\\c\n\r\t\u{0}\u{1F}é😀") } == #""a\"b\\c\n\r\t\u0000\u001fé😀""#)
    }

    @Test("base64 agrees with the standard's examples and is decoded again")
    func base64() {
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
        for (length, encoded) in expected.enumerated() {
            let plain = Array("foobar".utf8.prefix(length))
            #expect(text { $0.base64(plain) } == "\"\(encoded)\"")
            #expect(bytes(fromBase64: Array(encoded.utf8)) == plain)
        }
        for wrong in ["Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Z*==", "=Zg="] {
            #expect(bytes(fromBase64: Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }

    @Test("each line of NDJSON is a document of its own")
    func lines() {
        let written = text { writer in
            for number in 1...2 {
                writer.integer(number)
                writer.endLine()
            }
        }
        #expect(written == "1\n2\n")
    }
}
