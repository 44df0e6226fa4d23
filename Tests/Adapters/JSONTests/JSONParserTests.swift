import JSON
import Testing

@Suite("JSONParser") struct JSONParserTests {
    @Test("every kind of value is read")
    func kinds() throws {
        let text = #"{"a": [1, -2.5, "x\n\u00e9\ud83d\ude00", true, false, null, {}], "b": {}}"#
        let bytes = try rewritten(Array(text.utf8))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"a":[1,-2.5,"x\né😀",true,false,null,{}],"b":{}}"#)
    }

    @Test("values answer nil when asked for another kind")
    func otherKinds() throws {
        try JSONParser.read(Array(#"["1", 1, null, true, [], {}, 1.5]"#.utf8)) { root in
            let values = Array(try #require(root.array))
            #expect(root.array?.count == 7)
            #expect(values.map { $0.int } == [nil, 1, nil, nil, nil, nil, nil])
            #expect(values.map { $0.double } == [nil, 1, nil, nil, nil, nil, 1.5])
            #expect(values.map { $0.string } == ["1", nil, nil, nil, nil, nil, nil])
            #expect(values.map { $0.bool } == [nil, nil, nil, true, nil, nil, nil])
            #expect(values.map { $0.isNull } == [false, false, true, false, false, false, false])
            #expect(values.map { $0.array != nil }.firstIndex(of: true) == 4)
            #expect(values.map { $0.object != nil }.firstIndex(of: true) == 5)
        }
    }

    @Test("a name that appears twice has its last value")
    func duplicateNames() throws {
        try JSONParser.read(Array(#"{"a": 1, "b": 2, "a": 3}"#.utf8)) { root in
            let object = try #require(root.object)
            #expect(object["a"]?.int == 3)
            #expect(object["b"]?.int == 2)
            #expect(object["c"] == nil)
            #expect(object.count == 3)
        }
    }

    @Test(
        "numbers at the limits are read exactly or refused",
        arguments: [
            ("9223372036854775807", Int.max, 9_223_372_036_854_775_807.0),
            ("-9223372036854775808", Int.min, -9_223_372_036_854_775_808.0),
            ("18446744073709551615", nil, 18_446_744_073_709_551_615.0),
            ("-0", 0, 0), ("4.0", 4, 4), ("4e2", 400, 400), ("1.5", nil, 1.5),
            ("1e300", nil, 1e300), ("5e-324", nil, .leastNonzeroMagnitude), ("1e-400", 0, 0),
        ] as [(String, Int?, Double)])
    func numbers(text: String, int: Int?, double: Double) throws {
        try JSONParser.read(Array("[\(text)]".utf8)) { root in
            let value = try #require(root.array?.first { _ in true })
            #expect(value.int == int)
            #expect(value.double == double)
        }
    }

    @Test("the minus sign of -0.0 is kept, and unsigned integers are read exactly")
    func signs() throws {
        try JSONParser.read(Array("[-0.0, 18446744073709551615, -1]".utf8)) { root in
            let values = Array(try #require(root.array))
            #expect(values[0].double?.sign == .minus)
            #expect(values.map { $0.unsignedInteger } == [0, .max, nil])
        }
    }

    @Test(
        "bytes that are not a document are refused with a code and a position",
        arguments: [
            ("", .empty, nil), (" \n\t", .empty, nil), ("{", .truncated, 1), ("[1,", .truncated, 3),
            (#"{"a": "x"#, .truncated, 8), ("[tru", .truncated, 4), ("[1.", .truncated, 3),
            ("{]", .notJSON, 1), ("hello", .notJSON, 0), ("[1 2]", .notJSON, 3),
            ("{} {}", .notJSON, 3), ("[01]", .notJSON, 2), ("[1,]", .notJSON, 3),
            ("{\"a\":1,}", .notJSON, 7), ("[\"a\nb\"]", .notJSON, 3), (#"["\x"]"#, .notJSON, 3),
            (#"["\ud800"]"#, .notJSON, 2), ("[nul]", .notJSON, 4), ("[-]", .notJSON, 2),
            ("[NaN]", .notJSON, 1), ("[1e400]", .numberOutOfRange, 1),
            ("[-9223372036854775809]", .numberOutOfRange, 1),
            ("[18446744073709551616]", .numberOutOfRange, 1),
        ] as [(String, JSONFault.Code, Int?)])
    func faults(text: String, code: JSONFault.Code, position: Int?) {
        #expect(fault(text) == JSONFault(code, position: position))
    }

    @Test("bytes that are not UTF-8 are refused at the first wrong one")
    func notUTF8() {
        #expect(fault([0x22, 0xFF, 0x22]) == JSONFault(.notUTF8, position: 1))
        #expect(fault([0x22, 0x61, 0xC3, 0x22]) == JSONFault(.notUTF8, position: 2))
        #expect(fault([0x22, 0xED, 0xA0, 0x80, 0x22]) == JSONFault(.notUTF8, position: 1))
    }

    @Test("documents may be as deep as the limit and no deeper", arguments: [1, 2, 31, 32])
    func depth(limit: Int) {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(fault(nested(limit), maximumDepth: limit) == nil)
        #expect(
            fault(nested(limit + 1), maximumDepth: limit)
                == JSONFault(.tooDeep, position: limit + 1))
        #expect(fault(nested(100_000), maximumDepth: limit)?.code == .tooDeep)
    }

    @Test("a document above the limit of bytes is refused")
    func size() throws {
        let parser = JSONParser(maximumBytes: 10)
        #expect(try parser.parse(Array("[1,2,3,45]".utf8)) { $0.array?.count } == 4)
        #expect(throws: JSONFault(.tooLarge)) {
            try parser.parse(Array("[1,2,3,456]".utf8)) { _ in }
        }
    }

    @Test("one parser reads many documents of all sizes")
    func reuse() throws {
        let parser = JSONParser()
        for count in [0, 1, 5_000, 3, 2_000_000, 10] {
            let text = "[" + repeatElement("7", count: count).joined(separator: ",") + "]"
            let read = try parser.parse(Array(text.utf8)) { root in
                root.array?.reduce(0) { $0 + ($1.int ?? 0) }
            }
            #expect(read == 7 * count)
            #expect(throws: JSONFault.self) { try parser.parse([0x5B]) { _ in } }
        }
    }

    @Test("a nested call gets a second parser while the thread's parser is lent")
    func nestedLoan() throws {
        try JSONParser.read(Array("[1]".utf8)) { outer in
            let inner = try JSONParser.read(Array("[2, 3]".utf8)) { $0.array?.count }
            #expect(inner == 2)
            #expect(outer.array?.first { _ in true }?.int == 1)
        }
    }

    @Test("a lone low surrogate never becomes a malformed string")
    func loneSurrogate() throws {
        let string = try? JSONParser.read(Array(#"["\udc00"]"#.utf8)) { root in
            root.array?.first { _ in true }?.string
        }
        #expect(string == nil || string?.unicodeScalars.contains("\u{FFFD}") == true)
    }

    @Test("lines of NDJSON are found with any line end")
    func lines() {
        let text = "{\"a\":1}\r\n\n  \n[2]\n 3 "
        let lines = Array(text.utf8).withUnsafeBytes { bytes in
            NDJSONLines(bytes).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == ["{\"a\":1}", "[2]", "3"])
    }
}
