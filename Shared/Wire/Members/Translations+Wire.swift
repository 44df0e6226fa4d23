internal import JSON
import Site

/// Texts by language: `{"cy": "Llyfrgell", "de": "Bibliothek"}`.
extension Translations: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        guard let object = value.json.object else {
            throw value.fault(.fieldWrongType, "an object of texts by language is expected")
        }
        var texts: [String: String] = [:]
        for member in object {
            do throws(WireFault) {
                texts[member.name.string] = try WireValue(member.value).text(
                    maximumBytes: rule.mostBytes)
            } catch {
                throw error.inside("\(value.name)")
            }
        }
        self.init(texts)
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (language, text) in byLanguage.sorted(by: { $0.key < $1.key }) {
            writer.name(language)
            writer.string(text)
        }
        writer.endObject()
    }

    var isAbsent: Bool { isEmpty }
}
