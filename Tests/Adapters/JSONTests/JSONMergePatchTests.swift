import JSON
import Testing

@Suite struct JSONMergePatchTests {
    @Test(
        "The examples of RFC 7396, appendix A, give its results",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, #"null"#, #"null"#),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func examples(document: String, patch: String, expected: String) throws {
        #expect(try merged(document, patch) == expected)
    }

    @Test("Numbers keep their value, and the last member of a repeated name counts")
    func values() throws {
        #expect(
            try merged(#"{"a":18446744073709551615,"b":0.1,"b":-7}"#, #"{"c":4.5,"c":5}"#)
                == #"{"a":18446744073709551615,"b":-7,"c":5}"#)
    }

    @Test("Text that is not JSON is a fault", arguments: ["", "{", "nonsense"])
    func faults(text: String) {
        #expect(throws: JSONFault.self) { try merged("{}", text) }
        #expect(throws: JSONFault.self) { try merged(text, "{}") }
    }

    private func merged(_ document: String, _ patch: String) throws -> String {
        String(
            decoding: try JSONMergePatch.apply(Array(patch.utf8), to: Array(document.utf8)),
            as: UTF8.self)
    }
}
