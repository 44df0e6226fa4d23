import Cryptography
import Testing

@Suite("Cryptography") struct CryptographyTests {
    @Test("SHA-256 gives the digest of the standard's example")
    func sha256Example() {
        #expect(
            sha256Hex("abc")
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            sha256Hex([UInt8]())
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test(
        "base64 is that of the standard's examples, and others are refused",
        arguments: ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"])
    func base64Examples(text: String, encoded: String) {
        #expect(base64(Array(text.utf8)) == encoded)
        #expect(bytes(ofBase64: encoded) == Array(text.utf8))
        for wrong in [encoded + "=", encoded + "Z", encoded + "-_=="] {
            #expect(bytes(ofBase64: wrong) == nil, "\(wrong)")
        }
    }

    @Test("a keyed hash depends on the key and on the bytes")
    func keyedHashes() {
        let key = [UInt8](repeating: 7, count: 32)
        let other = [UInt8](repeating: 8, count: 32)
        #expect(keyedHash([1, 2], key: key) == keyedHash([1, 2], key: key))
        #expect(keyedHash([1, 2], key: key) != keyedHash([1, 2], key: other))
        #expect(keyedHash([1, 2], key: key) != keyedHash([1, 3], key: key))
        #expect(keyedHash([1, 2], key: key, byteCount: 16).count == 16)
    }

    @Test("a keyed hash agrees with BLAKE2b's reference vectors")
    func keyedHashVector() {
        // BLAKE2b of no bytes under the key 00…3f: the first of the reference's keyed test vectors.
        let digest = keyedHash([], key: Array(0..<64), byteCount: 64)
        #expect(hexadecimal(digest).hasPrefix("10ebb67700b1868efb4417987acf4690"))
    }

    @Test("the comparison in constant time finds equal and unequal bytes")
    func comparison() {
        #expect(isEqualInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(isEqualInConstantTime([], []))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2]))
    }

    @Test("random bytes have the requested number and never repeat")
    func randomness() {
        #expect(randomBytes(0).isEmpty)
        #expect(randomBytes(33).count == 33)
        #expect(randomBytes(32) != randomBytes(32))
        #expect(randomWord() != randomWord())
    }
}

@Suite("BearerToken") struct BearerTokenTests {
    @Test("a new token has the prefix, the length and the alphabet")
    func form() {
        let token = BearerToken()
        #expect(token.text.hasPrefix("wab_"))
        #expect(token.text.utf8.count == BearerToken.characterCount)
        #expect(BearerToken.isWellFormed(token.text))
        #expect(token.hash == sha256Hex(token.text))
        #expect(token.hash.utf8.count == 64)
        #expect(BearerToken().text != token.text)
    }

    @Test(
        "text of another form is not a token",
        arguments: [
            "", "wab_", "secret", "wab_" + String(repeating: "=", count: 43),
            "wax_" + String(repeating: "a", count: 43), "wab_" + String(repeating: "a", count: 44),
        ])
    func otherForms(text: String) {
        #expect(!BearerToken.isWellFormed(text))
    }

    @Test("base64url agrees with the standard's examples")
    func base64URLExamples() {
        let expected = ["", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"]
        for (length, text) in expected.enumerated() {
            #expect(base64URL(Array("foobar".utf8.prefix(length))) == text)
        }
        #expect(base64URL([0xFB, 0xFF]) == "-_8")
    }
}

@Suite("UniqueIdentifier") struct UniqueIdentifierTests {
    /// The namespace for domain names of RFC 9562, appendix A.
    let domainNames = UniqueIdentifier(high: 0x6ba7_b810_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)

    @Test("version 5 gives the id of the standard's example")
    func versionFive() {
        let id = UniqueIdentifier(namespace: domainNames, name: "www.example.com")
        #expect(id == UniqueIdentifier(high: 0x2ed6_657d_e927_568b, low: 0x95e1_2665_a8ae_a6a2))
    }

    @Test("version 5 differs by name and by namespace, and accepts the empty name")
    func versionFiveDiffers() {
        let empty = UniqueIdentifier(namespace: domainNames, name: "")
        #expect(empty != UniqueIdentifier(namespace: domainNames, name: "a"))
        #expect(empty != UniqueIdentifier(namespace: empty, name: ""))
        #expect(empty.high >> 12 & 15 == 5)
        #expect(empty.low >> 62 == 2)
    }

    @Test("version 7 carries the milliseconds, the version and the variant")
    func versionSeven() {
        let id = UniqueIdentifier(millisecondsSinceEpoch: 0x0123_4567_89AB)
        #expect(id.high >> 16 == 0x0123_4567_89AB)
        #expect(id.high >> 12 & 15 == 7)
        #expect(id.low >> 62 == 2)
        #expect(id != UniqueIdentifier(millisecondsSinceEpoch: 0x0123_4567_89AB))
    }

    @Test("version 7 ids of later milliseconds sort after earlier ones")
    func versionSevenSorts() {
        let ids = (0..<100).map { UniqueIdentifier(millisecondsSinceEpoch: 1_000 + $0) }
        for (earlier, later) in zip(ids, ids.dropFirst()) { #expect(earlier.high < later.high) }
    }
}
