import SeededRandomness
import Testing

@testable import JSON

@Suite("JSON, at random") struct JSONPropertyTests {
    /// A document with every kind of value, in exactly the form that the writer gives it.
    static let document =
        #"{"id":"0193","n":[0,-1,1.5,2e30,true,false,null],"s":"a\\b\"c\né","o":{"":{},"x":[[]]}}"#

    @Test("a written value is read back unchanged", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        var writer = JSONWriter(capacity: 1)
        randomValue(depth: 5, to: &writer, using: &generator)
        let bytes = writer.finish()
        #expect(try rewritten(bytes) == bytes)
    }

    @Test(
        "on mutated documents simdjson and the plain validator agree",
        arguments: 0..<20 as Range<UInt64>)
    func agreement(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let parser = JSONParser(maximumDepth: 4)
        for _ in 0..<300 {
            let bytes = mutated(Array(Self.document.utf8), using: &generator)
            let plain = bytes.withUnsafeBytes {
                JSONDiagnosis.firstFault(in: $0, maximumDepth: 4)
            }
            let accepted = (try? parser.parse(bytes) { _ in }) != nil
            #expect(accepted == (plain == nil), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private func mutated(
        _ bytes: [UInt8], using generator: inout SeededRandom
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            guard !bytes.isEmpty else { return bytes }
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = .random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
            case 3: bytes.removeLast(bytes.count - index - 1)
            default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
            }
        }
        return bytes
    }

    private func randomValue(
        depth: Int, to writer: inout JSONWriter, using generator: inout SeededRandom
    ) {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
        case 0: writer.null()
        case 1: writer.bool(.random(using: &generator))
        case 2: writer.integer(Int64(bitPattern: generator.next()) >> (generator.next() % 64))
        case 3: writer.number(randomDouble(using: &generator))
        case 4: writer.number(Double.random(in: -500...500, using: &generator), decimals: 3)
        case 5, 6: writer.string(randomText(using: &generator))
        case 7:
            writer.beginArray()
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                randomValue(depth: depth - 1, to: &writer, using: &generator)
            }
            writer.endArray()
        default:
            writer.beginObject()
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                writer.name(randomText(using: &generator))
                randomValue(depth: depth - 1, to: &writer, using: &generator)
            }
            writer.endObject()
        }
    }

    /// Any finite double that is not an integer, because the reader turns those into integers.
    private func randomDouble(using generator: inout SeededRandom) -> Double {
        while true {
            let value = Double(bitPattern: generator.next())
            if value.isFinite, Int(exactly: value) == nil { return value }
        }
    }

    private func randomText(using generator: inout SeededRandom) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "/", "\n", "\t", "\r", "\u{0}", "\u{1F}", "\u{7F}", "é", "😀",
            "\u{2028}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            text.append(scalars.randomElement(using: &generator) ?? "a")
        }
        return String(text)
    }
}
